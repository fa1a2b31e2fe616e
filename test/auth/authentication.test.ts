/** Optimistic authentication: a change since the last request applies to the very next one. */
import { apiScopes } from '../../src/auth/scopes.js';
import { type Response, startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import { clientOf, dataOf, expectError } from '../support/client.js';
import { ensure } from '../support/expect.js';
import * as demo from '../support/names.js';
import { sentDuring } from '../support/sent.js';

const app = await startApp();
const { bothEmail, skylineId } = demo;
await makeApp(app.db, 'optimistic', { scopes: apiScopes, approved: { [skylineId]: apiScopes } });
const caller = clientOf(app, bothEmail, 'optimistic');
const path = `${demo.skyline}/certifications`;
const input = {
  organizationMemberId: demo.memberId(demo.climberEmail),
  certificationTypeId: demo.typeId('osha-30'),
};
const body = {
  organization_member_id: input.organizationMemberId,
  certification_type_id: input.certificationTypeId,
};
const record = `${path}/${demo.recordId(demo.climberEmail, 'osha-10')}`;
const type = `${demo.skyline}/certification-types/${input.certificationTypeId}`;

const graphql = async (query: string) =>
  app.graphql(query, { o: skylineId, input }, { token: await app.token(bothEmail, 'optimistic') });
const create =
  'mutation ($o: ID!, $input: CertificationCreate!) { createCertification(organizationId: $o, input: $input) { id } }';
const list =
  'query ($o: ID!) { organization(id: $o) { certifications(first: 2) { nodes { id } } } }';
let keys = 0;

type Ask = () => Promise<Response>;
const writes: Readonly<Record<string, Ask>> = {
  'a create': () => caller.post(path, body),
  'a create with a key': () => caller.post(path, body, { 'idempotency-key': `key-${++keys}` }),
  'an update': () => caller.patch(record, { issuer_name: `Issuer ${++keys}` }),
  'a mutation': () => graphql(create),
};
const asks: Readonly<Record<string, Ask>> = {
  'a read of nothing but the caller': () => caller.get('/v1/me'),
  'a record': () => caller.get(type),
  'a list': () => caller.get(path),
  'a query': () => graphql(list),
  ...writes,
};

const stateNow = () =>
  app.db.query(`select (select max(ticked_at) from organization_clocks) as at, (select count(*) from audit_events) as events,
    (select count(*) from certifications) as records, (select count(*) from idempotency_records) as keys`);
const isOk = ({ status, body: { errors } }: Response) => status < 300 && !errors;
const codeOf = ({ body: { error, errors } }: Response): string | undefined =>
  error?.code ?? errors?.[0]?.extensions.code.toLowerCase();

beforeEach(async () => {
  dataOf(await caller.get('/v1/me'));
});

const ofUser = `user_id = '${demo.userId(bothEmail)}'`;
const ends: readonly [what: string, end: string, mend: string, code: string][] = [
  [
    'the person is disabled',
    `update users set status = 'disabled' where email = '${bothEmail}'`,
    `update users set status = 'active' where email = '${bothEmail}'`,
    'unauthenticated',
  ],
  [
    'the app is disabled',
    `update apps set status = 'disabled' where client_id = 'optimistic'`,
    `update apps set status = 'active' where client_id = 'optimistic'`,
    'unauthenticated',
  ],
  [
    'the grant has ended',
    `update grants set expires_at = now() where ${ofUser}`,
    `update grants set expires_at = now() + interval '1 day' where ${ofUser}`,
    'unauthenticated',
  ],
  [
    'the membership is suspended',
    `update organization_members set status = 'suspended' where ${ofUser}`,
    `update organization_members set status = 'active' where ${ofUser}`,
    'forbidden',
  ],
  [
    'the approval is withdrawn',
    `update app_approvals set scopes = '{}' where organization_id = '${skylineId}'`,
    `update app_approvals p set scopes = a.api_scopes from apps a where a.id = p.app_id and p.organization_id = '${skylineId}'`,
    'approval_required',
  ],
  [
    'the app has lost its scopes',
    `update apps set api_scopes = '{}' where client_id = 'optimistic'`,
    `update apps set api_scopes = '{${apiScopes.join()}}' where client_id = 'optimistic'`,
    'insufficient_scope',
  ],
];
for (const [what, end, mend, code] of ends)
  describe(`once ${what}`, () => {
    for (const [name, ask] of Object.entries(asks)) {
      if (code !== 'unauthenticated' && name.includes('nothing but')) continue;
      test(`${name} is refused, nothing is written, and it works again once that is mended`, async () => {
        expect(isOk(await ask())).toBe(true);
        const state = await stateNow();
        await app.db.query(end);
        const refused = [await ask(), await ask()];
        const after = await stateNow();
        await app.db.query(mend);
        expect(refused.map(codeOf)).toStrictEqual([code, code]);
        expect(after).toStrictEqual(state);
        const again = await ask();
        ensure(isOk(again), again.text);
      });
    }
  });

const setRole = (role: string) =>
  app.db.query(
    'update organization_members set role = $1 where organization_id = $2 and email = $3',
    [role, skylineId, bothEmail],
  );

describe('a role', () => {
  for (const [name, ask] of Object.entries(writes))
    test(`that was lowered refuses ${name}, and raised lets it through, at once`, async () => {
      await setRole('member');
      const state = await stateNow();
      expect(codeOf(await ask())).toBe('forbidden');
      expect(await stateNow()).toStrictEqual(state);
      await setRole('manager');
      const answered = await ask();
      ensure(isOk(answered), answered.text);
    });
});

describe('who is asking comes before what is wrong with the request', () => {
  const [[, end, mend]] = ends as [(typeof ends)[number]];
  const wrong: Readonly<Record<string, Ask>> = {
    'invalid values': () => caller.post(path, { ...body, issued_on: 'never' }),
    'a body that is no JSON': () => caller.post(path, '{', { 'content-type': 'application/json' }),
    'a record that does not exist': () =>
      caller.get(`${demo.skyline}/certification-types/${demo.nothing}`),
    'a document that is none': () => graphql('{'),
    'a key that is none': () => caller.post(path, body, { 'idempotency-key': 'with blanks' }),
  };
  for (const [what, ask] of Object.entries(wrong))
    test(what, async () => {
      const usual = (await ask()).status;
      ensure(usual >= 400 && usual !== 401, String(usual));
      await app.db.query(end);
      const refused = await ask();
      await app.db.query(mend);
      expect([refused.text, codeOf(refused)]).toStrictEqual([refused.text, 'unauthenticated']);
    });
});

test('a stored answer is for who may still have it', async () => {
  const send = () => caller.post(path, body, { 'idempotency-key': 'kept' });
  dataOf(await send(), 201);
  expect((await send()).headers.get('idempotency-replayed')).toBe('true');
  const [[, end, mend]] = ends as [(typeof ends)[number]];
  await app.db.query(end);
  expectError(await send(), 401, 'unauthenticated');
  await app.db.query(mend);
  expect((await send()).headers.get('idempotency-replayed')).toBe('true');
});

test('what the caller is told of themselves is of now', async () => {
  await app.db.query(`update users set display_name = 'Renamed' where email = $1`, [bothEmail]);
  expect(dataOf(await caller.get('/v1/me')).user.display_name).toBe('Renamed');
});

test('a write that changes who is asking as it commits is made once', async () => {
  await app.db.query(`create function rename() returns trigger language plpgsql as $$
    begin update users set display_name = display_name || '!' where email = '${bothEmail}'; return null; end $$`);
  await app.db.query(
    'create trigger renaming after insert on certifications for each row execute function rename()',
  );
  const records = async () => (await app.db.query('select from certifications')).length;
  for (const name of ['a create', 'a create with a key', 'a mutation']) {
    const before = await records();
    const answered = await (writes[name] as Ask)();
    ensure(isOk(answered), answered.text);
    expect([name, await records()]).toStrictEqual([name, before + 1]);
  }
  await app.db.query('drop trigger renaming on certifications');
});

test('many at once, some of them by tokens that have ended: each gets its own answer', async () => {
  const other = clientOf(app, demo.climberEmail, 'optimistic');
  dataOf(await other.get('/v1/me'));
  const all = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => (index % 2 ? caller : other).get(type)),
    );
  await app.db.query(`update users set status = 'disabled' where email = $1`, [bothEmail]);
  const statuses = (await all(40)).map(({ status }) => status);
  await app.db.query(`update users set status = 'active' where email = $1`, [bothEmail]);
  expect(statuses).toStrictEqual(Array.from({ length: 40 }, (_, index) => (index % 2 ? 401 : 200)));
});

describe('a read shares the round trip of the look-up, a mutation waits for it', () => {
  for (const [name, expected] of [
    ['a read of nothing but the caller', 1],
    ['a record', 1],
    ['a create', 2],
    ['a create with a key', 3],
    ['an update', 4],
    ['a mutation', 2],
  ] as const)
    test(`${name}: ${expected} in all`, async () => {
      const ask = asks[name] as Ask;
      // Prepared on whichever connection it is.
      for (let time = 0; time < 12; time++) expect(isOk(await ask())).toBe(true);
      expect(await sentDuring(app.url, ask)).toBe(expected);
    });
});
