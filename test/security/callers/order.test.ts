/**
 * Suspension and revocation hold from their commit on: nothing that the version clock stamps after
 * them is the caller's. Callers write without a pause while they are shut out and let in again;
 * `DRILL_SUSPENSIONS=300` runs the drill at its full size.
 */
import { apiScopes } from '../../../src/auth/scopes.js';
import { type Response, startApp } from '../../support/app.js';
import { makeApp } from '../../support/apps.js';
import { clientOf, dataOf } from '../../support/client.js';
import { ensure } from '../../support/expect.js';
import * as demo from '../../support/names.js';

const times = Number(process.env.DRILL_SUSPENSIONS ?? 12);
const app = await startApp();
const { bothEmail, skylineId } = demo;
await makeApp(app.db, 'drilled', { scopes: apiScopes, approved: { [skylineId]: apiScopes } });
const admin = clientOf(app, demo.adminEmail);
const caller = clientOf(app, bothEmail, 'drilled');
const path = `${demo.skyline}/certifications`;
const record = `${path}/${demo.recordId(demo.climberEmail, 'osha-10')}`;
const body = {
  organization_member_id: demo.memberId(demo.climberEmail),
  certification_type_id: demo.typeId('osha-30'),
};
const token = () => app.token(demo.adminEmail);
let keys = 0;

const writes: readonly (() => Promise<Response>)[] = [
  () => caller.post(path, body),
  () => caller.post(path, body, { 'idempotency-key': `drilled-${++keys}` }),
  () => caller.patch(record, { issuer_name: `Issuer ${++keys}` }),
  async () => {
    const rows = [
      { ...externalRow(), externalId: `a-${++keys}` },
      { ...externalRow(), externalId: `b-${keys}` },
    ];
    const query =
      'mutation ($o: ID!, $rows: [CertificationUpsert!]!) { upsertCertifications(organizationId: $o, rows: $rows) { createdCount } }';
    return app.graphql(
      query,
      { o: skylineId, rows },
      { token: await app.token(bothEmail, 'drilled') },
    );
  },
];
const externalRow = () => ({
  externalSource: 'drill',
  organizationMemberId: body.organization_member_id,
  certificationTypeId: body.certification_type_id,
});

/** Writes of all kinds, without a pause, until `work` has ended. */
async function underWriters(count: number, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  let written = 0;
  const writer = async (index: number) => {
    for (let turn = index; !isOver; turn++) {
      const answer = await (writes[turn % writes.length] as () => Promise<Response>)();
      // 503: shut out and let in again and again while the request was under way.
      ensure([200, 201, 401, 403, 503].includes(answer.status), answer.text);
      if (answer.status < 300 && !answer.body.errors) written++;
    }
  };
  const writers = Array.from({ length: count }, (_, index) => writer(index));
  try {
    await work();
  } finally {
    isOver = true;
  }
  await Promise.all(writers);
  ensure(written > times / 4, `only ${written} writes`);
}

/** Writes of the caller with a stamp after one and not after another. */
const writtenIn = (after: string, until: string) =>
  app.db.query(
    `select occurred_at from audit_events where organization_id = $1 and user_id = $2 and occurred_at > $3 and occurred_at <= $4`,
    [skylineId, demo.userId(bothEmail), after, until],
  );

const clockNow = async () =>
  (await app.db.query<{ at: string }>('select clock_timestamp() as at'))[0]?.at ?? '';
const pause = () => new Promise((resolve) => setTimeout(resolve, 15 + Math.random() * 25));

describe(`${times} times under 8 writers, nothing is stamped after the caller was shut out`, () => {
  const setStatus = async (field: string, id: string) => {
    const query = `mutation ($o: ID!, $id: ID!) { ${field}(organizationId: $o, id: $id) { updatedAt } }`;
    const { body: answer } = await app.graphql(
      query,
      { o: skylineId, id },
      { token: await token() },
    );
    return answer.data[field].updatedAt as string;
  };

  test('by a suspension, on the same clock', async () => {
    const id = demo.memberId(bothEmail);
    const late: unknown[] = [];
    await underWriters(8, async () => {
      for (let time = 0; time < times; time++) {
        await pause();
        const at = await setStatus('suspendOrganizationMember', id);
        await pause();
        const until = await setStatus('reinstateOrganizationMember', id);
        late.push(...(await writtenIn(at, until)));
      }
    });
    expect(late).toEqual([]);
  });

  const ends: [what: string, end: string, mend: string][] = [
    [
      'by the end of the grant',
      `update grants set expires_at = now() where user_id = '${demo.userId(bothEmail)}'`,
      `update grants set expires_at = now() + interval '1 day' where user_id = '${demo.userId(bothEmail)}'`,
    ],
    [
      'by an approval that was narrowed',
      `update app_approvals set scopes = '{}' where organization_id = '${skylineId}' and app_id = (select id from apps where client_id = 'drilled')`,
      `update app_approvals p set scopes = a.api_scopes from apps a where a.client_id = 'drilled' and p.organization_id = '${skylineId}' and p.app_id = a.id`,
    ],
    [
      'by a disabled app',
      `update apps set status = 'disabled' where client_id = 'drilled'`,
      `update apps set status = 'active' where client_id = 'drilled'`,
    ],
  ];
  for (const [what, end, mend] of ends)
    test(`${what}, by the time of PostgreSQL`, async () => {
      const late: unknown[] = [];
      await underWriters(8, async () => {
        for (let time = 0; time < times; time++) {
          await pause();
          await app.db.query(end);
          const at = await clockNow();
          await pause();
          const until = await clockNow();
          await app.db.query(mend);
          late.push(...(await writtenIn(at, until)));
        }
      });
      expect(late).toEqual([]);
    });
});

describe('a write that waited for the clock while its caller was shut out writes nothing', () => {
  const ofMember = `organization_id = '${skylineId}' and id = '${demo.memberId(bothEmail)}'`;
  for (const [index, write] of writes.entries())
    test(`write ${index + 1} of ${writes.length}`, async () => {
      dataOf(await admin.get('/v1/me'));
      const before = await app.db.query('select count(*) from audit_events');
      const late = await app.db.transaction(async (tx) => {
        await tx.query(
          'select from organization_clocks where organization_id = $1 for no key update',
          [skylineId],
        );
        const answer = write();
        for (let waiting = 0; waiting === 0; ) {
          const [row] = await app.db.query<{ waiting: number }>(
            `select count(*)::int as waiting from pg_locks where not granted and database = (select oid from pg_database where datname = current_database()) or not granted and locktype = 'transactionid'`,
          );
          waiting = row?.waiting ?? 0;
        }
        await tx.query(`update organization_members set status = 'suspended' where ${ofMember}`);
        return { answer };
      });
      const answer = await late.answer;
      await app.db.query(`update organization_members set status = 'active' where ${ofMember}`);
      expect([
        answer.text,
        answer.body.error?.code ?? answer.body.errors?.[0]?.extensions.code.toLowerCase(),
      ]).toStrictEqual([answer.text, 'forbidden']);
      expect(await app.db.query('select count(*) from audit_events')).toStrictEqual(before);
    });
});
