/** Filters and orders of certification records: what a plain filter of all of them gives. */
import fc from 'fast-check';
import type { Certification } from '../../../src/entities/certification.js';
import { validityOn } from '../../../src/rules/validity.js';
import { dayAfter, today } from '../../../src/scalars/day.js';
import { startApp } from '../../support/app.js';
import { ensure, fail } from '../../support/expect.js';
import { countStatements, graphOf } from '../../support/graph.js';
import { climberEmail, jobRoleId, managerEmail, memberId, skylineId } from '../../support/names.js';
import { type ListArguments, OrderedList, set, sorted } from './ordered.js';

type Stored = Certification & { readonly holder: string; readonly jobRoles: readonly string[] };

const app = await startApp();
const client = graphOf(app, managerEmail);
const list = new OrderedList(client, 'certifications', {
  organizationId: 'ID!',
  first: 'Int',
  after: 'String',
  updatedAfter: 'DateTime',
  organizationMemberId: 'ID',
  certificationTypeId: 'ID',
  jobRoleId: 'ID',
  lifecycleStatus: 'LifecycleStatus',
  verificationStatus: 'VerificationStatus',
  validityStatus: 'ValidityStatus',
  asOf: 'Date',
  expiresFrom: 'Date',
  expiresUntil: 'Date',
  externalSource: 'ExternalId',
  q: 'Text',
  orderBy: 'CertificationOrder',
});

// Ties and gaps: a third has no last day, a third no day of issue, many share theirs.
await app.db.query(`update certifications set
  expires_on = case when get_byte(uuid_send(id), 15) % 3 = 0 then null else date_trunc('month', expires_on)::date end,
  issued_on = case when get_byte(uuid_send(id), 14) % 3 = 0 then null else date_trunc('month', issued_on)::date - 40 end,
  serial_number = case when get_byte(uuid_send(id), 13) % 2 = 0 then 'SN_100%' || get_byte(uuid_send(id), 12) end`);

const readAll = () =>
  app.db.query<Stored>(
    `select c.id, c.organization_member_id as "organizationMemberId", c.certification_type_id as "certificationTypeId", c.lifecycle_status as "lifecycleStatus",
      c.verification_status as "verificationStatus", c.issued_on as "issuedOn", c.expires_on as "expiresOn", c.issuer_name as "issuerName", c.serial_number as "serialNumber",
      c.external_id as "externalId", c.external_source as "externalSource", c.updated_at as "updatedAt", concat_ws(' ', m.display_name, m.first_name, m.last_name) as holder,
      array(select a.job_role_id from member_job_roles a where a.organization_id = m.organization_id and a.organization_member_id = m.id) as "jobRoles"
     from certifications c join organization_members m on m.organization_id = c.organization_id and m.id = c.organization_member_id where c.organization_id = $1`,
    [skylineId],
  );
const all = await readAll();
const now = today();

const has = (text: string | null, term: string) =>
  text?.toLowerCase().includes(term.toLowerCase()) ?? false;

/** The rules, each told once more and plainly. */
const fits = (row: Stored, args: ListArguments): boolean =>
  (['organizationMemberId', 'certificationTypeId', 'externalSource'] as const).every(
    (name) => args[name] === undefined || args[name] === row[name],
  ) &&
  (['lifecycleStatus', 'verificationStatus'] as const).every(
    (name) => args[name] === undefined || args[name] === row[name].toUpperCase(),
  ) &&
  (args.jobRoleId === undefined || row.jobRoles.includes(String(args.jobRoleId))) &&
  (args.validityStatus === undefined ||
    args.validityStatus === validityOn(String(args.asOf ?? now), 30, row).toUpperCase()) &&
  (args.expiresFrom === undefined ||
    (row.expiresOn !== null && row.expiresOn >= String(args.expiresFrom))) &&
  (args.expiresUntil === undefined ||
    (row.expiresOn !== null && row.expiresOn <= String(args.expiresUntil))) &&
  (args.updatedAfter === undefined || row.updatedAt > String(args.updatedAfter)) &&
  (args.q === undefined ||
    [row.issuerName, row.serialNumber, row.externalId, row.holder].some((text) =>
      has(text, String(args.q)),
    ));

const keys: Readonly<Record<string, (row: Stored) => string>> = {
  EXPIRES_ON: ({ expiresOn }) => expiresOn ?? 'infinity',
  ISSUED_ON: ({ issuedOn }) => issuedOn ?? '',
  UPDATED_AT: ({ updatedAt }) => updatedAt,
};
const expected = (rows: readonly Stored[], args: ListArguments) => {
  const { field = 'UPDATED_AT', direction } = args.orderBy ?? {};
  const keyOf = keys[field] ?? fail();
  return sorted(
    rows.filter((row) => fits(row, args)),
    keyOf,
    direction,
  ).map(({ id }) => id);
};

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const of = <Key extends keyof Stored>(name: Key) =>
  maybe(fc.constantFrom(...new Set(all.map((row) => row[name]).filter((value) => value !== null))));
const day = fc.oneof(
  fc.integer({ min: -900, max: 900 }).map((days) => dayAfter(now, days)),
  fc.constantFrom(...all.flatMap(({ expiresOn }) => expiresOn ?? []), '0001-01-01', '9999-12-31'),
);
const orderBy = maybe(
  fc.record(
    { field: fc.constantFrom(...Object.keys(keys)), direction: fc.constantFrom('ASC', 'DESC') },
    { requiredKeys: ['field'] },
  ),
);
const term = fc.oneof(
  fc.constantFrom('a', 'JONAH', 'bhr', 'ač', 'SN_100%', '%', '_', '\\', 'nothing has this', "'"),
  fc
    .constantFrom(
      ...all.flatMap(({ holder, issuerName }) => [holder, issuerName ?? ''].filter((text) => text)),
    )
    .map((text) => text.slice(1, 5).trim() || 'x'),
);
const filters = fc
  .record({
    organizationMemberId: maybe(
      fc.constantFrom(memberId(climberEmail), all[7]?.organizationMemberId),
    ),
    certificationTypeId: of('certificationTypeId'),
    jobRoleId: maybe(
      fc.constantFrom(
        jobRoleId('tower-foreman'),
        jobRoleId('tower-technician-ii'),
        jobRoleId('rigger'),
      ),
    ),
    lifecycleStatus: maybe(fc.constantFrom('ACTIVE', 'REVOKED', 'ARCHIVED')),
    verificationStatus: maybe(fc.constantFrom('UNVERIFIED', 'PENDING', 'VERIFIED', 'FAILED')),
    validityStatus: maybe(fc.constantFrom('VALID', 'EXPIRING', 'EXPIRED', 'UNKNOWN')),
    asOf: maybe(day),
    expiresFrom: maybe(day),
    expiresUntil: maybe(day),
    updatedAfter: of('updatedAt'),
    externalSource: of('externalSource'),
    q: maybe(term),
  })
  .chain((record) =>
    fc
      .subarray(Object.entries(record), { maxLength: 3 })
      .map((entries) => set(Object.fromEntries(entries))),
  );
const sizes = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 20, max: 200 }));

test('any filters, in any order, in pages of any size: those that fit, each once, and their number', async () => {
  expect(all.length).toBeGreaterThan(100);
  let nonEmpty = 0;
  await fc.assert(
    fc.asyncProperty(
      filters,
      orderBy,
      fc.integer({ min: 5, max: 200 }),
      async (some, order, first) => {
        const args = set({ organizationId: skylineId, ...some, orderBy: order });
        const { ids, count } = await list.walk(args, first);
        expect(ids).toStrictEqual(expected(all, args));
        expect(count).toBe(ids.length);
        if (ids.length > 0) nonEmpty++;
      },
    ),
    { numRuns: 150 },
  );
  ensure(nonEmpty > 40, `only ${nonEmpty} of the lists had anything in them`);
});

test('validity on the days around each edge: the rule of one record', async () => {
  const ends = [...new Set(all.flatMap(({ expiresOn }) => expiresOn ?? []))].slice(0, 5);
  const issues = [
    ...new Set(
      all.filter(({ expiresOn }) => expiresOn === null).flatMap(({ issuedOn }) => issuedOn ?? []),
    ),
  ].slice(0, 3);
  expect([ends.length, issues.length]).toEqual([5, 3]);
  const days = [
    ...ends.flatMap((end) => [0, 1, -30, -31].map((by) => dayAfter(end, by))),
    ...issues.flatMap((day) => [day, dayAfter(day, -1)]),
  ];
  for (const asOf of days) {
    for (const validityStatus of ['VALID', 'EXPIRING', 'EXPIRED', 'UNKNOWN']) {
      const args = { organizationId: skylineId, validityStatus, asOf };
      expect([`${validityStatus} on ${asOf}`, (await list.walk(args, 200)).ids]).toStrictEqual([
        expect.any(String),
        expected(all, args),
      ]);
    }
  }
});

describe('every order, in pages of any size, through ties and records without a date', () => {
  for (const field of Object.keys(keys)) {
    for (const direction of ['ASC', 'DESC'] as const) {
      test(`${field} ${direction}`, async () => {
        const args = { organizationId: skylineId, orderBy: { field, direction } };
        for (const first of [3, 7, 50, 200])
          expect((await list.walk(args, first)).ids).toStrictEqual(expected(all, args));
      });
    }
  }

  test('no last day is after all others, no day of issue before all others', async () => {
    const firstOf = async (field: string, direction: string) => {
      const args = {
        organizationId: skylineId,
        first: 1,
        orderBy: { field, direction: direction as 'ASC' },
      };
      const { list: page } = await client.data(
        list.query(args, '{ nodes { expiresOn issuedOn } }'),
        args,
      );
      return page.nodes[0];
    };
    expect((await firstOf('EXPIRES_ON', 'ASC')).expiresOn).not.toBeNull();
    expect((await firstOf('EXPIRES_ON', 'DESC')).expiresOn).toBeNull();
    expect((await firstOf('ISSUED_ON', 'ASC')).issuedOn).toBeNull();
    expect((await firstOf('ISSUED_ON', 'DESC')).issuedOn).not.toBeNull();
  });

  test('what nobody changes meanwhile comes exactly once, whatever else changes', async () => {
    const changed = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        orderBy,
        sizes,
        fc.infiniteStream(fc.record({ place: fc.nat(), by: fc.integer({ min: -90, max: 90 }) })),
        async (order, first, steps) => {
          changed.clear();
          const args = set({ organizationId: skylineId, orderBy: order });
          const before = await readAll();
          const { ids } = await list.walk(args, Math.max(first, 8), async () => {
            const { place, by } = steps.next().value as { place: number; by: number };
            const { id } = before[place % before.length] ?? fail();
            changed.add(id);
            await app.db.query(
              `update certifications set expires_on = '2027-01-01'::date + $2::int, issued_on = '2020-01-01'::date + $2::int, updated_at = clock_timestamp() where organization_id = $3 and id = $1`,
              [id, by, skylineId],
            );
          });
          const still = (id: string) => !changed.has(id);
          expect(ids.filter(still)).toStrictEqual(expected(before, args).filter(still));
          expect(ids.every((id) => before.some((row) => row.id === id))).toBe(true);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('a cursor belongs to its order and its filters', () => {
  const base = { organizationId: skylineId };
  const variants: ListArguments[] = [
    base,
    { ...base, orderBy: { field: 'EXPIRES_ON' } },
    { ...base, orderBy: { field: 'EXPIRES_ON', direction: 'DESC' } },
    { ...base, orderBy: { field: 'ISSUED_ON' } },
    { ...base, orderBy: { field: 'UPDATED_AT', direction: 'DESC' } },
    { ...base, orderBy: { field: 'EXPIRES_ON' }, lifecycleStatus: 'ACTIVE' },
    { ...base, validityStatus: 'VALID' },
    { ...base, validityStatus: 'VALID', asOf: dayAfter(now, 30) },
    { ...base, expiresUntil: dayAfter(now, 700) },
    { ...base, q: 'a' },
  ];
  const cursorOf = async (args: ListArguments): Promise<string> =>
    (
      await client.data(list.query({ ...args, first: 2 }, '{ pageInfo { nextCursor } }'), {
        ...args,
        first: 2,
      })
    ).list.pageInfo.nextCursor;

  test('any other list refuses it', async () => {
    for (const giver of variants) {
      const after = await cursorOf(giver);
      ensure(after, JSON.stringify(giver));
      for (const taker of variants) {
        const args = { ...taker, after };
        if (taker === giver) await client.data(list.query(args, '{ nodes { id } }'), args);
        else
          expect((await client.refusal(list.query(args, '{ nodes { id } }'), args)).code).toBe(
            'VALIDATION_ERROR',
          );
      }
    }
  });

  test('the order that every list has anyway is no other list', async () => {
    const args = { ...base, orderBy: { field: 'UPDATED_AT' }, after: await cursorOf(base) };
    await client.data(list.query(args, '{ nodes { id } }'), args);
  });
});

describe('who sees what', () => {
  test('a plain member filters and counts only what is their own', async () => {
    const own = new OrderedList(graphOf(app, climberEmail), list.field, list.types);
    const rows = (await readAll()).filter(
      ({ organizationMemberId }) => organizationMemberId === memberId(climberEmail),
    );
    for (const more of [
      {},
      { q: 'a' },
      { lifecycleStatus: 'ACTIVE' },
      { q: 'Marcus' },
      { orderBy: { field: 'EXPIRES_ON' } },
    ]) {
      const args = { organizationId: skylineId, ...more };
      const { ids, count } = await own.walk(args, 50);
      expect(ids).toStrictEqual(expected(rows, args));
      expect(count).toBe(ids.length);
    }
  });
});

describe('counts', () => {
  test('are a second statement, and only when asked for; without the page, the only one', async () => {
    const ask = (selection: string) =>
      countStatements(app, () =>
        client.data(`{ certifications(organizationId: "${skylineId}") { ${selection} } }`),
      );
    expect(await ask('nodes { id }')).toBe(2);
    expect(await ask('nodes { id } totalCount')).toBe(3);
    expect(await ask('totalCount')).toBe(2);
  });

  test('below members, one statement for all of them', async () => {
    const text = (first: number) =>
      `{ organizationMembers(organizationId: "${skylineId}", first: ${first}) { totalCount nodes { id certifications(first: 1) { totalCount nodes { id } } } } }`;
    const few = await countStatements(app, () => client.data(text(5)));
    const many = await countStatements(app, () => client.data(text(50)));
    expect([few, many]).toEqual([5, 5]);
    const { organizationMembers } = await client.data(text(200));
    const rows = await readAll();
    expect(organizationMembers.totalCount).toBe(organizationMembers.nodes.length);
    for (const { id, certifications } of organizationMembers.nodes) {
      expect(certifications.totalCount).toBe(
        rows.filter(({ organizationMemberId }) => organizationMemberId === id).length,
      );
    }
  });

  test('of the records of a caller, over all organizations', async () => {
    const { myCertifications } = await graphOf(app, climberEmail).data(
      '{ myCertifications(first: 1) { totalCount nodes { id } } }',
    );
    const rows = (await readAll()).filter(
      ({ organizationMemberId }) => organizationMemberId === memberId(climberEmail),
    );
    expect(myCertifications.totalCount).toBe(rows.length);
  });
});
