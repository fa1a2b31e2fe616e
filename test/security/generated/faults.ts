/** Faults that the generated requests must see: one for each thing that they look at. */
import { demoId } from '../../../src/demo/ids.js';
import type { Hole } from '../holes.js';

const fault = (file: string, text: string, instead: string, says: string): Hole => ({
  file,
  text,
  instead,
  says,
  seenBy: 'generated/generated.test.ts',
});

/** By what goes wrong. */
export const faults: Readonly<Record<string, Hole>> = {
  'a 500 of REST': fault(
    'scalars/scalars.js',
    "if (typeof value !== 'string')",
    'if (false)',
    'internal_error',
  ),
  'a 500 of GraphQL': fault(
    'rules/transitions.js',
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
  'a code that no document has': fault(
    'graph/execution/perform.js',
    'code: code.toUpperCase()',
    'code',
    'assertGraphql',
  ),
  'an error of another request': fault(
    'graph/execution/perform.js',
    'request_id: requestId,',
    "request_id: 'other',",
    'assertGraphql',
  ),
  'a stack trace': fault(
    'rest/reply.js',
    'error: { code, message,',
    'error: { code, message: new Error(message).stack,',
    'not match',
  ),
  'an error in the log': fault(
    'http/error-mapping.js',
    'if (error instanceof ApiError)',
    "if (error instanceof ApiError) log.error({ requestId }, 'oops');\n    if (error instanceof ApiError)",
    'something unexpected was logged',
  ),
  'an audit event elsewhere': fault(
    'database/change-statements.js',
    'action: kind,',
    `action: kind, ...(entity.name === 'JobRole' && { organizationId: '${demoId('organization', 'harbor-fiber')}' }),`,
    'a write to job_roles without its audit event',
  ),
  'an audit event of another request': fault(
    'database/change-statements.js',
    'requestId,\n            id: ',
    "requestId: 'other',\n            id: ",
    'a record was made without its audit event',
  ),
  'a change without its version': fault(
    'database/record-changes.js',
    'change.entity === Certification && change.set',
    'false',
    'a certification that differs from its last version',
  ),
  'any move': fault(
    'rules/transitions.js',
    'if (transitions[from].includes(to))',
    'if (from !== to)',
    'a move that the lifecycle or the verification forbids',
  ),
  'a revoked record that comes back by way of the archive': fault(
    'rules/transitions.js',
    'if (!wasRevoked)',
    'if (true)',
    'a record that is active after it was revoked',
  ),
  'control characters': fault(
    'scalars/text.js',
    'if ((hasLines ? refused.lines : refused.line).test(text))',
    'if (false)',
    'a text with a control character',
  ),
  'a member who is somebody else': fault(
    'graph/members/service.js',
    '...invited(id),',
    `...invited('${demoId('user', 'admin@harbor.example')}'),`,
    'a new member of an organization whose user is somebody else',
  ),
  'refusals alone': fault(
    'auth/principal-lookup.js',
    "a.client_id = token.client_id and a.status = 'active'",
    "a.client_id = token.client_id and a.status = 'none'",
    'too few requests were good',
  ),
};
