/** Faults that the generated requests must see: one for each thing that they look at. */
import { demoId } from '../../../src/database/demo/ids.js';
import type { Hole } from '../holes.js';

const fault = (file: string, text: string, instead: string, says: string): Hole => ({
  file,
  text,
  instead,
  says,
  seenBy: 'generated/generated.test.js',
});

/** By what goes wrong. */
export const faults: Readonly<Record<string, Hole>> = {
  'a 500 of REST': fault('graph/scalars.js', "if (typeof value !== 'string')", 'if (false)', 'internal_error'),
  'a 500 of GraphQL': fault(
    'entities/transitions.js',
    "throw new ApiError('invalid_transition', sentence,",
    'throw new Error(sentence,',
    'INTERNAL_ERROR',
  ),
  'a body that no document has': fault(
    'rest/reply.js',
    'const body = JSON.stringify(data);',
    "const body = '{}';",
    'must have required property',
  ),
  'a code that no document has': fault('graph/perform.js', 'code: code.toUpperCase()', 'code', 'assertGraphql'),
  'an error of another request': fault('graph/perform.js', 'request_id: requestId,', "request_id: 'other',", 'assertGraphql'),
  'a stack trace': fault('rest/reply.js', 'error: { code, message,', 'error: { code, message: new Error(message).stack,', 'not match'),
  'an error in the log': fault(
    'edge/failure.js',
    'if (error instanceof ApiError)',
    "if (error instanceof ApiError) log.error({ requestId }, 'oops');\n    if (error instanceof ApiError)",
    'something unexpected was logged',
  ),
  'an audit event elsewhere': fault(
    'database/journal.js',
    'action: kind,',
    `action: kind, ...(entity.name === 'JobRole' && { organizationId: '${demoId('organization', 'harbor-fiber')}' }),`,
    'a write to job_roles without its audit event',
  ),
  'an audit event of another request': fault(
    'database/journal.js',
    '...actor,',
    "...actor, requestId: 'other',",
    'a record was made without its audit event',
  ),
  'a change without its version': fault(
    'database/journal.js',
    'let isRecorded = certifications.length === 0;',
    'let isRecorded = true;',
    'a certification that differs from its last version',
  ),
  'any move': fault(
    'entities/transitions.js',
    'if (moves[from].includes(to))',
    'if (from !== to)',
    'a move that the lifecycle or the verification forbids',
  ),
  'a revoked record that comes back by way of the archive': fault(
    'entities/transitions.js',
    'if (!wasRevoked)',
    'if (true)',
    'a record that is active after it was revoked',
  ),
  'control characters': fault(
    'graph/scalars.js',
    String.raw`/\p{Cc}/u.test(trimmed)`,
    String.raw`/\0/.test(trimmed)`,
    'a text with a control character',
  ),
  'a member who is somebody else': fault(
    'graph/member/service.js',
    'where lower(u.email) = lower($1) for no key update of u',
    'where $1::text is not null order by random() limit 1 for no key update of u',
    'a new member of an organization whose user is somebody else',
  ),
  'refusals alone': fault('auth/principal.js', "and a.status = 'active'", "and a.status = 'none'", 'too few requests were good'),
};
