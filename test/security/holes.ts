// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the compiled code
/** Holes in the walls between tenants: each what to replace in the compiled code, and which tests must see it. */
import { demoId } from '../../src/database/demo/ids.js';

export interface Hole {
  /** A file below dist/src. */
  readonly file: string;
  readonly text: string;
  readonly instead: string;
  /** The tests that must see it, below dist/test/security. */
  readonly seenBy: string;
  /** What they must say then; left out: anything. */
  readonly says?: string;
}

const graphql = 'tenancy/graphql.test.js';
const deep = 'tenancy/deep.test.js';
const failed = 'audit/failed.test.js';
const hole = (file: string, text: string, instead: string, seenBy: string): Hole => ({ file, text, instead, seenBy });

/** By what is left open. */
export const holes: Readonly<Record<string, Hole>> = {
  'an organization that the person is no member of': hole(
    'auth/policy.js',
    'this.principal.memberships.find(({ organizationId }) => organizationId === id);',
    'this.principal.memberships.find(({ organizationId }) => organizationId === id) ?? { organizationId: id, memberId: id, role: "admin", approvedScopes: this.required };',
    graphql,
  ),
  'approval of the organization': hole(
    'auth/policy.js',
    'if (waiting)\n            throw approvalRequired(waiting);\n        return membership;',
    'return membership;',
    graphql,
  ),
  'the role of a manager': hole(
    'auth/policy.js',
    'if (!isManager(membership))\n            throw',
    'if (false)\n            throw',
    graphql,
  ),
  'another member': hole('auth/policy.js', 'if (!mayReachMember(membership, memberId))', 'if (false)', deep),
  'the scopes of an app': hole('auth/policy.js', '!principal.apiScopes.includes(scope)', 'false', graphql),
  'a suspended member': hole('auth/principal.js', "and m.status = 'active'), '[]')", "), '[]')", graphql),
  'a disabled app': hole('auth/principal.js', "and a.status = 'active'", '', graphql),
  'a record by its id': hole(
    'graph/certification/reads.js',
    "'c.organization_id = $1 and c.id = $2'",
    "'$1::uuid is not null and c.id = $2'",
    graphql,
  ),
  'a record of the caller': hole(
    'graph/certification/reads.js',
    'c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3)',
    '$1::uuid[] is not null and c.id = $2 and $3::uuid[] is not null',
    graphql,
  ),
  'a member by its id': hole(
    'graph/member/reads.js',
    "'m.organization_id = $1 and m.id = $2'",
    "'$1::uuid is not null and m.id = $2'",
    graphql,
  ),
  'a definition that can be used': hole(
    'graph/definition/reads.js',
    'or ${alias}.organization_id = any(${organizations}::uuid[])',
    'or ${organizations}::uuid[] is not null',
    graphql,
  ),
  'the members of a batch': hole('graph/lists.js', '`${column} = parent.key${index}`', '`parent.key${index} is not null`', deep),
  'the history of a batch': hole(
    'graph/history/reads.js',
    'h.organization_id = parent.organization_id and h.certification_id = parent.id',
    'h.certification_id is not null and parent.id is not null',
    deep,
  ),
  'the members to send': hole('graph/evaluation/held.js', 'where m.organization_id = $1 and', 'where $1::uuid is not null and', deep),
  'the members to send on a past day': hole(
    'graph/evaluation/roster.js',
    'where m.organization_id = $1 and',
    'where $1::uuid is not null and',
    deep,
  ),
  'the changes of others': hole('graph/changes/reads.js', "isPlain ? visible : '$4::text is not null'", "'$4::text is not null'", deep),
  'the members of a plain member': hole(
    'graph/member/reads.js',
    "...(isManager(membership) ? {} : { 'm.id': membership.memberId }),",
    '',
    deep,
  ),
  'a bulk revocation': hole(
    'graph/lifecycle/bulk.js',
    'where organization_id = $1 and lower(issuer_name)',
    'where $1::uuid is not null and lower(issuer_name)',
    graphql,
  ),
  'the lock of a definition': hole(
    'graph/definition/service.js',
    "`d.id = $1 and ${usable('d', '$2')}`",
    "'d.id = $1 and $2::uuid[] is not null'",
    graphql,
  ),
  'the list that a cursor is of': hole('graph/cursor.js', 'JSON.stringify(list)', '"list"', 'tenancy/cursors.test.js'),
  'the caller of an idempotency key': hole(
    'graph/idempotency.js',
    'return { appId, userId, key, fingerprint };',
    `return { appId, userId: '${demoId('user', 'admin@skyline.example')}', key, fingerprint };`,
    'tenancy/carried.test.js',
  ),
  'the audit for managers': hole('auth/policy.js', "membership.role !== 'admin'", 'false', 'audit/events.test.js'),
  'the request of a change': hole('database/journal.js', '...actor,', '...actor, requestId: null,', 'audit/mutations.test.js'),
  'what was before a change': hole(
    'database/journal.js',
    '[from[name] ?? null, set?.[name] ?? null]',
    '[null, set?.[name] ?? null]',
    'audit/mutations.test.js',
  ),
  'the grant of a consent': hole('auth/oauth/grants.js', 'if (!grant?.isNew)', 'if (true)', 'audit/portal.test.js'),
  'a failed sign-in': hole(
    'portal/sign-in/prove.js',
    'afterAnswer(ctx.res, portal.log, requestId, () => recordFailedSignIn(portal.db, requestId, tried, reason));',
    ';',
    failed,
  ),
  'a failed sign-in that the answer waits for': hole(
    'portal/sign-in/prove.js',
    'afterAnswer(ctx.res, portal.log, requestId, () => recordFailedSignIn(portal.db, requestId, tried, reason));',
    'await recordFailedSignIn(portal.db, requestId, tried, reason);',
    failed,
  ),
  'a wrong client secret': hole('auth/oauth/provider.js', "audit('wrong_secret');", ';', failed),
  'a wrong client secret that the answer waits for': hole(
    'auth/oauth/provider.js',
    "audit('wrong_secret');",
    "await recordFailedAuthentication(db, currentRequest()?.requestId ?? '', this.clientId, 'wrong_secret');",
    failed,
  ),
  'too many client secrets': hole('auth/oauth/provider.js', "audit('too_many_attempts');", ';', failed),
  'one event in a while': hole('auth/refusals.js', 'Math.floor(Date.now() / failureWindow)', 'Date.now()', failed),
  'another event in the next while': hole('auth/refusals.js', 'Math.floor(Date.now() / failureWindow)', "'ever'", failed),
  'the reason of a disabled person': hole('auth/refusals.js', "user.status === 'active' ? reason : 'disabled'", 'reason', failed),
  'an audit that can be deleted': hole(
    'database/migrations/0009_audit_is_append_only.js',
    'before update or delete or truncate',
    'before update or truncate',
    'audit/events.test.js',
  ),
};
