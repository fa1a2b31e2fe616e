// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the compiled code
/**
 * Holes in the walls between tenants: each what to replace in the compiled code, and which tests
 * must see it.
 */
import { demoId } from '../../src/demo/ids.js';

export interface Hole {
  /** A file below dist/src. */
  readonly file: string;
  readonly text: string;
  readonly instead: string;
  /** The tests that must see it, below test/security. */
  readonly seenBy: string;
  /** What they must say then; left out: anything. */
  readonly says?: string;
}

const graphql = 'tenancy/graphql.test.ts';
const deep = 'tenancy/deep.test.ts';
const order = 'callers/order.test.ts';
const keys = '../idempotency/rules.test.ts';
const documents = 'callers/documents.test.ts';
const pipelining = '../http/pipelining.test.ts';
const flood = '../http/flood.test.ts';
const turns = '../database/turns.test.ts';
const failed = 'audit/failed.test.ts';
const demo = 'demo.test.ts';
const served = 'demo-served.test.ts';
const past = '../graph/evaluation/past.test.ts';
const late = '../graph/evaluation/explanations.test.ts';
const nodes = '../graph/nodes.test.ts';
const lookups = '../graph/lookups.test.ts';
const shown = '../graph/shown-types.test.ts';
const preconditions = '../rest/preconditions.test.ts';
const [takeover, proven, managed, passwords] = ['takeover', 'proven', 'managed', 'passwords'].map(
  (name) => `accounts/${name}.test.ts`,
) as [string, string, string, string];
const hole = (file: string, text: string, instead: string, seenBy: string): Hole => ({
  file,
  text,
  instead,
  seenBy,
});

const explorers = 'browser/explorers.test.ts';
const apps = 'browser/apps.test.ts';
const tryIt = 'browser/try.test.ts';

/** By what is left open. */
export const holes: Readonly<Record<string, Hole>> = {
  'scripts of others beside the cookie of the portal': hole(
    'pages/security.js',
    '"script-src \'self\'"',
    '"script-src \'self\' https://embeddable-sandbox.cdn.apollographql.com"',
    explorers,
  ),
  'any page in a frame of the portal': hole(
    'pages/security.js',
    '`frame-src ${frames}`',
    "'frame-src *'",
    explorers,
  ),
  'Sandbox in production': hole(
    'config.js',
    "rest.GRAPHQL_SANDBOX ?? rest.NODE_ENV !== 'production'",
    'rest.GRAPHQL_SANDBOX ?? true',
    explorers,
  ),
  'the code of a sign-in in the links of GraphiQL': hole(
    'portal/explorer/routes.js',
    "['document', 'variables'].flatMap",
    'Object.keys(ctx.query).flatMap',
    explorers,
  ),
  'the settings of the reference for other origins': hole(
    'portal/explorer/reference.js',
    "ctx.set('Cache-Control', 'no-store');",
    "ctx.set('Access-Control-Allow-Origin', '*');",
    tryIt,
  ),
  'another redirect URI of the reference': hole(
    'auth/apps/own.js',
    'const redirectUris = [config.BASE_URL + path];',
    "const redirectUris = [config.BASE_URL + path, 'https://evil.example/docs'];",
    tryIt,
  ),
  'another client authentication method': hole(
    'auth/oauth/provider.js',
    'if (used === registered)',
    'if (true)',
    apps,
  ),
  'apps without end': hole(
    'auth/apps/registry.js',
    'if (count >= maxAppsPerPerson)',
    'if (false)',
    apps,
  ),
  'apps without end at once': hole(
    'auth/apps/app-statements.js',
    'select pg_advisory_xact_lock(hashtextextended',
    'select (hashtextextended',
    apps,
  ),
  'secrets without end': hole(
    'auth/apps/secrets.js',
    'if (working.length >= maxSecretsPerApp)',
    'if (false)',
    apps,
  ),
  'what is lost without a question': hole(
    'pages/forms.js',
    "field(ctx, sureField) === 'yes'",
    'true',
    apps,
  ),
  'sign-ins without end': hole(
    'auth/oauth/models.js',
    'await this.onBeginning();',
    ';',
    'browser/authorize.test.ts',
  ),
  'authorization requests without end': hole(
    'auth/oauth/server.js',
    'await limiter.countRequest(ctx.ip);',
    ';',
    'browser/authorize.test.ts',
  ),
  'sign-ins that are kept a day': hole(
    'auth/oauth/purge-statements.js',
    "case when consumed_at is null then interval '0' else interval '1 day' end",
    "interval '1 day'",
    'browser/authorize.test.ts',
  ),
  'pages without COOP': hole(
    'pages/security.js',
    "!leadsAway && { 'Cross-Origin-Opener-Policy'",
    "false && { 'Cross-Origin-Opener-Policy'",
    'browser/pages.test.ts',
  ),
  'https without HSTS': hole(
    'app.js',
    "config.BASE_URL.startsWith('https:')",
    'false',
    'browser/pages.test.ts',
  ),
  'an organization that the person is no member of': hole(
    'auth/policy.js',
    'let membership;',
    'let membership = { organizationId: id, memberId: id, role: "admin", approvedScopes: this.required };',
    graphql,
  ),
  'approval of the organization': hole(
    'auth/policy.js',
    'if (waiting)\n            throw approvalRequired(waiting);\n        if (this.written?',
    'if (this.written?',
    graphql,
  ),
  'the role of a manager': hole(
    'auth/policy.js',
    'if (!isManager(membership))\n            throw',
    'if (false)\n            throw',
    graphql,
  ),
  'another member': hole(
    'auth/policy.js',
    'if (!mayReachMember(membership, memberId))',
    'if (false)',
    deep,
  ),
  'the scopes of an app': hole(
    'auth/policy.js',
    'if (principal.apiScopes.includes(scope))',
    'if (true)',
    graphql,
  ),
  'a suspended member': hole(
    'auth/principal-lookup.js',
    "and m.status = 'active'), '[]')",
    "), '[]')",
    graphql,
  ),
  'a disabled app': hole(
    'auth/principal-lookup.js',
    "a.client_id = token.client_id and a.status = 'active'",
    'a.client_id = token.client_id',
    graphql,
  ),
  'a record by its id': hole(
    'graph/certifications/reads.js',
    "'c.organization_id = $1 and c.id = $2'",
    "'$1::uuid is not null and c.id = $2'",
    graphql,
  ),
  'a record of the caller': hole(
    'graph/certifications/reads.js',
    'c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3)',
    '$1::uuid[] is not null and c.id = $2 and $3::uuid[] is not null',
    graphql,
  ),
  'a member by its id': hole(
    'graph/members/reads.js',
    "'m.organization_id = $1 and m.id = $2'",
    "'$1::uuid is not null and m.id = $2'",
    graphql,
  ),
  'by id: records without the scope of their type': hole(
    'graph/nodes.js',
    'if (!principal.apiScopes.includes(scope))',
    'if (!scope)',
    nodes,
  ),
  'by id: records without an approval': hole(
    'graph/nodes.js',
    'new Access(principal, [scope]).approvedOrganizations()',
    'principal.memberships',
    nodes,
  ),
  'by id: records of other organizations': hole(
    'graph/nodes.js',
    '`${owner} = any($2::uuid[])`',
    '`$2::uuid[] is not null`',
    graphql,
  ),
  'by id: colleagues and their records': hole(
    'graph/nodes.js',
    ' or ${holder.column} = any($4::uuid[])',
    ' or $4::uuid[] is not null',
    nodes,
  ),
  'by id: any number of ids': hole(
    'graph/nodes.js',
    'if (ids.length > maxIds)',
    'if (!ids)',
    nodes,
  ),
  'by key: members of other organizations': hole(
    'graph/members/reads.js',
    '`m.organization_id = $1 and ${keyConditions[name]}',
    '`$1::uuid is not null and ${keyConditions[name]}',
    graphql,
  ),
  'by key: colleagues': hole(
    'graph/members/reads.js',
    'isManager(membership) ? [] : [membership.memberId]',
    '[]',
    lookups,
  ),
  'by key: records of other organizations': hole(
    'graph/certifications/reads.js',
    "'c.organization_id = $1 and c.external_id = $2'",
    "'$1::uuid is not null and c.external_id = $2'",
    lookups,
  ),
  'by key: records of colleagues': hole(
    'graph/certifications/reads.js',
    'where.push(`c.organization_member_id = $${values.push(membership.memberId)}`)',
    'where.push()',
    lookups,
  ),
  'by variable: pages of any size': hole(
    'graph/execution/compile.js',
    'ruledType(declared, rules.get(name))',
    'declared',
    shown,
  ),
  'by variable: pages of any size by default': hole(
    'graph/execution/compile.js',
    'return readVariables([{ ...variable, defaultValue: undefined }], given, graphqlDialect)[name];',
    'return given[name];',
    shown,
  ),
  'a definition that can be used': hole(
    'graph/definitions/reads.js',
    'or ${alias}.organization_id = any(${organizations}::uuid[])',
    'or ${organizations}::uuid[] is not null',
    graphql,
  ),
  'the members of a batch': hole(
    'graph/reads/lists.js',
    '`${column} = parent.key${index}`',
    '`parent.key${index} is not null`',
    deep,
  ),
  'the history of a batch': hole(
    'graph/certifications/history/reads.js',
    'h.organization_id = parent.organization_id and h.certification_id = parent.id',
    'h.certification_id is not null and parent.id is not null',
    deep,
  ),
  'the members to send': hole(
    'graph/evaluation/holdings.js',
    'where m.organization_id = $1 and',
    'where $1::uuid is not null and',
    deep,
  ),
  'the members to send on a past day': hole(
    'graph/evaluation/roster.js',
    'where m.organization_id = $1 and',
    'where $1::uuid is not null and',
    deep,
  ),
  'the changes of others': hole(
    'graph/changes/reads.js',
    "isPlain ? visible : '$4::text is not null'",
    "'$4::text is not null'",
    deep,
  ),
  'the members of a plain member': hole(
    'graph/members/reads.js',
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
    'graph/definitions/service.js',
    "'d.id = $1 and d.organization_id = $2'",
    "'d.id = $1 and $2::uuid is not null'",
    graphql,
  ),
  'the list that a cursor is of': hole(
    'graph/reads/cursor.js',
    'JSON.stringify(list)',
    '"list"',
    'tenancy/cursors.test.ts',
  ),
  'the updated_after that a cursor is of': hole(
    'graph/reads/keyset.js',
    '...(updatedAfter ? [{ updatedAfter }] : []),',
    '',
    '../graph/cursors.test.ts',
  ),
  'a member that is null': hole(
    'graph/input/blank.js',
    'if (value === null && !mayBeNull(place))',
    'if (false)',
    '../graph/blank.test.ts',
  ),
  'a record that names no member': hole(
    'graph/certifications/service.js',
    "if (source === 'self-reported')\n        return memberId;",
    'return memberId;',
    '../graph/blank.test.ts',
  ),
  'a holder that a look-up did not find': hole(
    'rules/upsert/certification.js',
    'else if (empty)',
    'else if (false)',
    '../graph/blank.test.ts',
  ),
  'a property that is given twice': hole(
    'http/body.js',
    'if (countMembers(value) < members)',
    'if (false)',
    '../rest/wire.test.ts',
  ),
  'text that is shown in another order': hole(
    'scalars/text.js',
    'if ((hasLines ? refused.lines : refused.line).test(text))',
    'if (false)',
    '../rest/wire.test.ts',
  ),
  'the caller of an idempotency key': hole(
    'graph/execution/idempotency.js',
    'return { appId, userId, key, fingerprint };',
    `return { appId, userId: '${demoId('user', 'admin@skyline.example')}', key, fingerprint };`,
    'tenancy/carried.test.ts',
  ),
  'the audit for managers': hole(
    'auth/policy.js',
    "membership.role !== 'admin'",
    'false',
    'audit/events.test.ts',
  ),
  'the request of a change': hole(
    'database/change-statements.js',
    'requestId,\n            id: ',
    'requestId: null,\n            id: ',
    'audit/mutations.test.ts',
  ),
  'what was before a change': hole(
    'database/change-statements.js',
    '[from[name] ?? null, set?.[name] ?? null]',
    '[null, set?.[name] ?? null]',
    'audit/mutations.test.ts',
  ),
  'the grant of a consent': hole(
    'auth/oauth/grants.js',
    'if (!grant?.isNew)',
    'if (true)',
    'audit/portal.test.ts',
  ),
  'a failed sign-in': hole(
    'portal/audited.js',
    'afterAnswer(ctx.res, portal.log, requestId, () => recordFailedProof(portal.db, requestId, action, tried, reason));',
    ';',
    failed,
  ),
  'a failed sign-in that the answer waits for': hole(
    'portal/audited.js',
    'afterAnswer(ctx.res, portal.log, requestId, () => recordFailedProof(portal.db, requestId, action, tried, reason));',
    'await recordFailedProof(portal.db, requestId, action, tried, reason);',
    failed,
  ),
  'a wrong client secret': hole('auth/oauth/provider.js', "audit('wrong_secret');", ';', failed),
  'a wrong client secret that the answer waits for': hole(
    'auth/oauth/provider.js',
    "audit('wrong_secret');",
    "await recordFailedAuthentication(db, currentRequest()?.requestId ?? '', clientId, 'wrong_secret');",
    failed,
  ),
  'too many client secrets': hole(
    'auth/oauth/provider.js',
    "audit('too_many_attempts');",
    ';',
    failed,
  ),
  'one event in a while': hole(
    'auth/denied-attempts.js',
    'Math.floor(Date.now() / failureWindow)',
    'Date.now()',
    failed,
  ),
  'another event in the next while': hole(
    'auth/denied-attempts.js',
    'Math.floor(Date.now() / failureWindow)',
    "'ever'",
    failed,
  ),
  'the reason of a disabled person': hole(
    'auth/denied-attempts.js',
    "user.status === 'active' ? reason : 'disabled'",
    'reason',
    failed,
  ),
  'an invitation that nobody accepted': hole(
    'graph/members/service.js',
    '...invited(id),',
    "userId: id, status: 'active',",
    takeover,
  ),
  'a link that an admin saw': hole(
    'auth/accounts/invitation-statements.js',
    `i.sent_by <> 'admin' as "isProof"`,
    'true as "isProof"',
    takeover,
  ),
  'the owner of an address': hole(
    'auth/accounts/accounts.js',
    'await closeAccounts(em, actor, ids, address);',
    ';',
    proven,
  ),
  'an invitation to another address': hole(
    'auth/accounts/invitation-statements.js',
    'and lower(m.email) = lower(i.email)`',
    '`',
    proven,
  ),
  'an address that nobody proved': hole(
    'auth/accounts/membership-statements.js',
    "m.email from users u\n     join organization_members m on m.organization_id = $2 and lower(m.email) = lower(u.email) and m.status = 'invited'\n     where u.id = $1 and u.email_proven_at is not null",
    "m.email from users u\n     join organization_members m on m.organization_id = $2 and lower(m.email) = lower(coalesce(u.address, u.email)) and m.status = 'invited'\n     where u.id = $1",
    proven,
  ),
  'the organization that managed an account': hole(
    'auth/accounts/invitations.js',
    'await leaveManagement(db, person, sessionId, organizationId, pair);',
    ';',
    managed,
  ),
  'an account of two organizations': hole(
    'auth/accounts/links.js',
    'if (!member?.isManaged)',
    'if (!member)',
    managed,
  ),
  'the flood of a mailbox': hole(
    'portal/members/routes.js',
    'await invitationLimiter.count(organization.id, member.email, mailer !== undefined);',
    ';',
    managed,
  ),
  'the primary membership of a person': hole(
    'graph/memberships/service.js',
    '!(await hasPrimary(ctx, member))',
    'true',
    '../graph/memberships/primary.test.ts',
  ),
  'the rows of two organizations': hole(
    'graph/memberships/primary.js',
    'others.length > 0',
    'false',
    '../graph/memberships/primary.test.ts',
  ),
  'a sign-in that a new password overtook': hole(
    'auth/accounts/sign-in.js',
    'if (!(await holds(em, proof, user)))',
    'if (false)',
    passwords,
  ),
  'the address of an invited admin': hole(
    'graph/memberships/service.js',
    "(member.role === 'admin' && (set.role || set.email))",
    "(member.role === 'admin' && set.role)",
    takeover,
  ),
  'the organization of a stored answer': hole(
    'graph/execution/execute.js',
    'if (stored.organizationId && context.principal)',
    'if (false)',
    '../idempotency/rules.test.ts',
  ),
  'the tokens of a thief': hole(
    'auth/accounts/accounts.js',
    'await em.nativeDelete(Grant, { userId });',
    ';',
    passwords,
  ),
  'the passkeys of a thief': hole(
    'auth/accounts/accounts.js',
    'isConfirmed: false',
    'isConfirmed: true',
    managed,
  ),
  'attempts of strangers elsewhere': hole(
    'auth/accounts/limits.js',
    'consume(this.pairs, keyOf(`${address} ${account}`))',
    'consume(this.pairs, keyOf(account))',
    passwords,
  ),
  'the browser of the owner': hole(
    'auth/accounts/limits.js',
    'if (account !== undefined && deviceId !== undefined)',
    'if (false)',
    passwords,
  ),
  'a document that writes in two organizations': hole(
    'auth/policy.js',
    'this.written.organizationId !== id',
    'false',
    documents,
  ),
  'a document of any number of mutations': hole(
    'graph/execution/limits.js',
    'roots > maxMutations',
    'false',
    documents,
  ),
  'a document of any duration': hole(
    'database/transaction.js',
    'performance.now() > this.deadline',
    'false',
    documents,
  ),
  'mutations that count as one request': hole(
    'graph/execution/execute.js',
    'operation.rootFields > 1)\n',
    'false)\n',
    documents,
  ),
  'a look-up before the rate is counted': hole(
    'http/request-context.js',
    'const fields = await this.limiter.count(key);',
    'await this.authenticator.authenticate(token); const fields = await this.limiter.count(key);',
    documents,
  ),
  'a large body is read before it is refused': hole(
    'http/request-context.js',
    'this.#heavy.requireRoom(owner);',
    ';',
    flood,
  ),
  'a slow body holds a share': hole(
    'http/request-context.js',
    'body ??= readBody?.(request);',
    'await this.#requests.take(owner); body ??= readBody?.(request);',
    flood,
  ),
  'a document that waits for locks while it holds the clock': hole(
    'database/transaction.js',
    "this.prepend([`set local lock_timeout = '100ms'`, []])",
    'Promise.resolve()',
    documents,
  ),
  'requests without end on one connection': hole(
    'http/server-limits.js',
    'count > maxPipelined',
    'false',
    pipelining,
  ),
  'a chunked body that is left unread': hole(
    'requests.js',
    "headers['transfer-encoding'] !== undefined",
    'false',
    pipelining,
  ),
  'a flood of refusals': hole(
    'requests.js',
    '++refusals.count > maxPromptRefusals',
    'false',
    flood,
  ),
  'the share of a caller': hole('database/turns.js', '&& own.running < caller', '', turns),
  'the share of an organization': hole(
    'database/turns.js',
    '&& within.running < organization',
    '',
    turns,
  ),
  'the turn of another organization': hole(
    'database/turns.js',
    'this.#next.push(within);\n            passed',
    'this.#next.unshift(within);\n            passed',
    turns,
  ),
  'a create whose caller was shut out': hole(
    'database/change-statements.js',
    'const check = isSingle ? actor.check : undefined',
    'const check = undefined',
    order,
  ),
  'a create that looks at its caller before it has the clock': hole(
    'database/group-commit/group.js',
    '[...ahead, [lockClock, [clock]], ...writes]',
    "[...ahead, ['select 1', []], ...writes]",
    order,
  ),
  'a change that looks at its caller before it has the clock': hole(
    'database/transaction.js',
    'this.prepend([lockClock, [clock]])',
    'Promise.resolve()',
    order,
  ),
  'several changes whose caller was shut out': hole(
    'database/record-changes.js',
    'const next = actor.check &&',
    'const next = undefined &&',
    order,
  ),
  'a stored answer for whoever has the key': hole(
    'graph/execution/execute.js',
    'if (errors.length > 0)',
    'if (false)',
    keys,
  ),
  'a key that is compared after the body': hole(
    'rest/router.js',
    'if (claim)\n',
    'if (false)\n',
    keys,
  ),
  'comparisons without a limit': hole(
    'graph/execution/limits.js',
    'if (comparisons > maxComparisons)',
    'if (false)',
    'hostile/corpus.test.ts',
  ),
  'lines that are counted for each error': hole(
    'graph/execution/document.js',
    "source.body = ''",
    'source.body = body',
    'hostile/corpus.test.ts',
  ),
  'properties of a body without a limit': hole(
    'http/body.js',
    'if (members > maxMembers)',
    'if (false)',
    'hostile/corpus.test.ts',
  ),
  'a cost that is no number': hole(
    'graph/cost/plan.js',
    'defaults.get(name)',
    '({})[name]',
    '../graph/names.test.ts',
  ),
  'an alias that is a prototype': hole(
    'graph/execution/limits.js',
    "if (responseName === '__proto__')",
    'if (false)',
    '../graph/names.test.ts',
  ),
  'tokens of a stranger': hole(
    'graph/execution/document.js',
    'sender.isAnonymous ? maxAnonymousTokens : maxTokens',
    'maxTokens',
    '../graph/http.test.ts',
  ),
  'bytes of a stranger': hole(
    'graph/execution/http.js',
    'if (raw.length > maxAnonymousBytes)',
    'if (false)',
    '../graph/http.test.ts',
  ),
  'operations of a stranger in the cache': hole(
    'graph/execution/perform.js',
    'if (isAnonymous)\n        return introspectionOf',
    'if (false)\n        return introspectionOf',
    '../graph/http.test.ts',
  ),
  'introspection in production': hole(
    'config.js',
    "NODE_ENV === 'production' ? 'authenticated' : 'true'",
    "'true'",
    '../graph/http.test.ts',
  ),
  'names that are suggested': hole(
    'graph/execution/document.js',
    'hideSuggestions: !introspects',
    'hideSuggestions: false',
    '../graph/http.test.ts',
  ),
  'strangers without a limit': hole(
    'http/rate-limit.js',
    'strangers.count(ctx.ip, points);',
    ';',
    '../http/unauthenticated-limit.test.ts',
  ),
  'callers who pay for strangers': hole(
    'http/rate-limit.js',
    'strangers.forgive(ctx.ip, points);',
    ';',
    '../http/unauthenticated-limit.test.ts',
  ),
  'a network of strangers': hole(
    'http/rate-limit.js',
    '.slice(0, 4)',
    '.slice(0, 8)',
    '../http/unauthenticated-limit.test.ts',
  ),
  'an address that a stranger claims': hole(
    'app.js',
    'maxIpsCount: 1',
    'maxIpsCount: 0',
    '../http/unauthenticated-limit.test.ts',
  ),
  'an audit that can be deleted': hole(
    'database/migrations/0009_audit_is_append_only.js',
    'before update or delete or truncate',
    'before update or truncate',
    'audit/events.test.ts',
  ),
  'demo data in production': hole(
    'cli/commands/data.js',
    "config.NODE_ENV === 'production' && !isForced",
    'false',
    demo,
  ),
  'demo data beside other organizations': hole(
    'demo/load.js',
    'if (others.length > 0)',
    'if (false)',
    demo,
  ),
  'demo data of a first start in production': hole(
    'cli/commands/demo-guard.js',
    "NODE_ENV !== 'production' && DEMO_DATA !== 'none'",
    'true',
    served,
  ),
  'demo data that other machines reach': hole(
    'cli/commands/demo-guard.js',
    "if (!open || DEMO_DATA === 'public')",
    'if (true)',
    served,
  ),
  'a PostgreSQL of its own in production': hole(
    'config.js',
    'isProduction && DATABASE_URL === undefined',
    'false',
    served,
  ),
  'a token in a log': hole(
    'cli/commands/serve.js',
    "if (config.NODE_ENV === 'development')",
    'if (true)',
    served,
  ),
  'a token in production': hole(
    'cli/operations/tokens.js',
    "NODE_ENV !== 'production' && ",
    '',
    demo,
  ),
  'a token for a server that others reach': hole(
    'cli/operations/tokens.js',
    ' && isLoopback(new URL(BASE_URL).hostname)',
    '',
    demo,
  ),
  'a token that leaves no event': hole(
    'cli/operations/tokens.js',
    'await recordUserEvent(tx.em',
    '((...nothing) => nothing)(tx.em',
    demo,
  ),
  'demo people that the doctor overlooks': hole(
    'cli/doctor/demo.js',
    'people > 0 &&\n',
    'false &&\n',
    demo,
  ),
  'demo apps that the doctor overlooks': hole(
    'cli/doctor/demo.js',
    'apps.length > 0 &&',
    'false &&',
    demo,
  ),
  'the public password that the doctor overlooks': hole(
    'demo/traces.js',
    'if (await verifyPassword(hash, demoPassword))',
    'if (false)',
    demo,
  ),
  'a past day that forgets what was entered later': hole(
    'graph/evaluation/evidence.js',
    'const evidence = replay(each, day);',
    'const evidence = (each[0]?.recordedAt ?? "") <= `${day}T24` ? replay(each, day) : undefined;',
    late,
  ),
  'a past day that takes what was revoked since for what never was': hole(
    'rules/history.js',
    'index === 0 ? firstDay : effectiveOn',
    'firstDay',
    past,
  ),
  'an If-Match that is not compared': hole(
    'graph/input/precondition.js',
    "throw new ApiError('precondition_failed', undefined, { current: current ?? null });",
    '',
    preconditions,
  ),
  'a change that is compared before it holds the record': hole(
    'graph/reads/records.js',
    'where ${where} for no key update`',
    'where ${where}`',
    preconditions,
  ),
  'a consent that gives several codes': hole(
    'auth/oauth/models.js',
    "if (deleted === 0 && this.model === 'Interaction')",
    'if (false)',
    '../auth/oauth/parallel.test.ts',
  ),
  'a search for the beginnings of all words': hole(
    'reference/search.js',
    'word.length >= minWordLength',
    'word.length > 0',
    '../reference/search.test.ts',
  ),
  'persisted queries of all organizations together': hole(
    'graph/execution/persisted-queries.js',
    'main?.organizationId ?? userId',
    "''",
    '../graph/persisted.test.ts',
  ),
  'persisted queries of an app for another': hole(
    'graph/execution/persisted-queries.js',
    '`${appId} ${sha256}`',
    'sha256',
    '../graph/persisted.test.ts',
  ),
  'a neighbour who evicts the persisted queries of others': hole(
    'graph/execution/persisted-queries.js',
    'other.size > one.size ? other : one',
    'one',
    '../graph/persisted.test.ts',
  ),
  'a persisted query under the hash of another': hole(
    'graph/execution/persisted-queries.js',
    'requireHash(persisted, query);',
    ';',
    '../graph/persisted.test.ts',
  ),
};
