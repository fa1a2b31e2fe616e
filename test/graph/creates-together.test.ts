/** Creates of one moment share transactions, and no caller can tell. */
import { type Response, startApp } from '../support/app.js';
import { clientOf, dataOf } from '../support/client.js';
import * as demo from '../support/names.js';
import { sentDuring } from '../support/sent.js';

const app = await startApp();
const manager = clientOf(app, demo.managerEmail);
const admin = clientOf(app, demo.adminEmail);
const climber = clientOf(app, demo.climberEmail);
const both = clientOf(app, demo.bothEmail);
const path = `${demo.skyline}/certifications`;
const usable = {
  organization_member_id: demo.memberId(demo.climberEmail),
  certification_type_id: demo.typeId('osha-30'),
};
const external = (id: string) => ({ ...usable, external_source: 'crew-desk', external_id: id });
const key = (name: string) => ({ 'idempotency-key': name });
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

interface Stored {
  readonly id: string;
  readonly updatedAt: string;
  readonly transaction: string;
  readonly organizationId: string;
  readonly versions: string[];
  readonly events: string[];
}

/** The records of these answers, with the requests that their history and the audit name. */
const storedOf = (answers: readonly Response[]) =>
  app.db.query<Stored>(
    `select c.id, c.updated_at as "updatedAt", c.xmin::text as transaction, c.organization_id as "organizationId",
       array(select h.request_id::text from certification_history h where h.organization_id = c.organization_id and h.certification_id = c.id) as versions,
       array(select e.request_id::text from audit_events e where e.subject_id = c.id::text) as events
     from certifications c where c.id = any($1::uuid[]) order by c.updated_at`,
    [answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id)],
  );

/** Of records, versions and audit events: what is refused leaves none. */
const countsNow = async (): Promise<number[]> => {
  const tables = ['certifications', 'certification_history', 'audit_events'];
  const counts = await Promise.all(
    tables.map((table) =>
      app.db.query<{ count: number }>(`select count(*)::int as count from ${table}`),
    ),
  );
  return counts.map(([row]) => row?.count ?? 0);
};

/** Connections are open and statements prepared. */
const warmUp = async () => {
  for (const client of [manager, admin, climber, both]) dataOf(await client.get('/v1/me'));
};

test('each gets its own record, stamp, version and audit event, whatever becomes of those beside it', async () => {
  await warmUp();
  dataOf(await manager.post(path, external('taken')), 201);
  const replayed = await manager.post(path, usable, key('used'));
  dataOf(await manager.post(path, usable, key('used-before')), 201);
  const before = await countsNow();
  const asks: readonly (readonly [expected: number, ask: () => Promise<Response>])[] = [
    ...times(12, (index) => [201, () => manager.post(path, external(`new-${index}`))] as const),
    ...times(12, (index) => [201, () => admin.post(path, usable, key(`key-${index}`))] as const),
    ...times(
      4,
      () =>
        [
          201,
          () =>
            both.post('/v1/certifications', {
              certification_type_id: usable.certification_type_id,
            }),
        ] as const,
    ),
    [409, () => manager.post(path, external('taken'))],
    [409, () => manager.post(path, external('taken'), key('in-vain'))],
    [409, () => manager.post(path, external('other'), key('used-before'))],
    [422, () => manager.post(path, { ...usable, certification_type_id: demo.nothing })],
    [
      422,
      () => manager.post(path, { ...usable, organization_member_id: demo.nothing }, key('wrong')),
    ],
    [
      403,
      () =>
        climber.post(path, { ...usable, organization_member_id: demo.memberId(demo.managerEmail) }),
    ],
    [201, () => manager.post(path, usable, key('used'))],
  ];
  const answers = await Promise.all(asks.map(([, ask]) => ask()));
  expect(answers.map(({ status }) => status)).toStrictEqual(asks.map(([expected]) => expected));
  expect([answers.at(-1)?.text, answers.at(-1)?.headers.get('idempotency-replayed')]).toStrictEqual(
    [replayed.text, 'true'],
  );
  const made = answers.slice(0, -1).filter(({ status }) => status === 201);
  const stored = await storedOf(made);
  expect(stored).toHaveLength(28);
  expect(await countsNow()).toStrictEqual(before.map((count) => count + 28));
  for (const { id, updatedAt, versions, events } of stored) {
    const answer = made.find(({ body }) => body.data.id === id);
    expect(answer?.body.data.updated_at).toBe(updatedAt);
    const request = answer?.headers.get('x-request-id');
    expect([versions, events]).toStrictEqual([[request], [request]]);
  }
  const inSkyline = stored.filter(({ organizationId }) => organizationId === demo.skylineId);
  expect(new Set(inSkyline.map(({ updatedAt }) => updatedAt)).size).toBe(inSkyline.length);
  expect(
    await app.db.query(`select key from idempotency_records where key in ('in-vain', 'wrong')`),
  ).toEqual([]);
  for (const index of times(12, (each) => each)) {
    const again = await admin.post(path, usable, key(`key-${index}`));
    expect(again.text).toBe(answers[12 + index]?.text);
  }
});

for (const [what, headers] of [
  ['without a key', () => ({})],
  ['with keys', (index: number) => key(`together-${index}`)],
] as const)
  test(`${what}, those of one moment take a handful of transactions and round trips`, async () => {
    await warmUp();
    const seen: string[] = [];
    // A busy machine spreads them over more moments.
    for (let attempt = 0; attempt < 4; attempt++) {
      let answers: Response[] = [];
      const pieces = await sentDuring(app.url, async () => {
        answers = await Promise.all(
          times(24, (index) => manager.post(path, usable, headers(24 * attempt + index))),
        );
      });
      const stored = await storedOf(answers);
      expect(stored).toHaveLength(24);
      const transactions = new Set(stored.map(({ transaction }) => transaction)).size;
      if (transactions <= 8 && pieces <= 24) return;
      seen.push(`${transactions} transactions, ${pieces} pieces`);
    }
    throw new Error(seen.join('; '));
  });

test('a caller who may not any more is refused, those beside them are not', async () => {
  await warmUp();
  const setRole = (role: string) =>
    app.db.query(
      'update organization_members set role = $1 where organization_id = $2 and email = $3',
      [role, demo.skylineId, demo.adminEmail],
    );
  await setRole('member');
  const answers = await Promise.all(
    times(16, (index) => (index % 4 ? manager : admin).post(path, usable)),
  );
  await setRole('admin');
  expect(answers.map(({ status }) => status)).toStrictEqual(
    times(16, (index) => (index % 4 ? 201 : 403)),
  );
});
