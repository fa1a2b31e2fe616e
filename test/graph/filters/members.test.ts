/** Filters and orders of members: what a plain filter of all of them gives. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { encodeCursor } from '../../../src/graph/reads/cursor.js';
import { startApp } from '../../support/app.js';
import { ensure, fail } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import { climberEmail, jobRoleId, managerEmail, memberId, skylineId } from '../../support/names.js';
import { type ListArguments, OrderedList, set, sorted } from './ordered.js';

interface Stored {
  readonly id: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly externalId: string;
  readonly status: string;
  readonly role: string;
  readonly updatedAt: string;
  readonly jobRoles: readonly string[];
}

const app = await startApp();
const client = graphOf(app, managerEmail);
const list = new OrderedList(client, 'organizationMembers', {
  organizationId: 'ID!',
  first: 'Int',
  after: 'String',
  email: 'Email',
  status: 'MemberStatus',
  role: 'Name',
  jobRoleId: 'ID',
  q: 'Text',
  orderBy: 'OrganizationMemberOrder',
});

/**
 * Names that are the same, that begin alike for longer than the order looks, and that are hard on a
 * cursor.
 */
const names = [
  'Sam Lee',
  'SAM LEE',
  'sam lee',
  '',
  'Ünal Öztürk',
  '𝔘nusual 😀',
  'line\u2028separator',
  `${'long '.repeat(13)}a`,
  `${'long '.repeat(13)}b`,
  'ß'.repeat(200),
  '😀'.repeat(60),
];
for (const name of names) {
  const id = randomUUID();
  const email = `${id}@skyline.example`;
  await app.db.query('insert into users (id, email, display_name) values ($1, $2, $3)', [
    id,
    email,
    name,
  ]);
  await app.db.query(
    `insert into organization_members (organization_id, id, user_id, email, display_name, status, created_at, updated_at)
     values ($1, $2, $2, $3, $4, 'active', now(), clock_timestamp())`,
    [skylineId, id, email, name],
  );
}

const all = await app.db.query<Stored>(
  `select m.id, display_name as "displayName", first_name as "firstName", last_name as "lastName", email, external_id as "externalId", status, role, updated_at as "updatedAt",
    array(select a.job_role_id from member_job_roles a where a.organization_id = m.organization_id and a.organization_member_id = m.id) as "jobRoles"
   from organization_members m where organization_id = $1`,
  [skylineId],
);

const fits = (
  row: Stored,
  { email, status, role, jobRoleId: jobRole, q }: ListArguments,
): boolean =>
  (email === undefined || row.email.toLowerCase() === String(email).toLowerCase()) &&
  (status === undefined || row.status.toUpperCase() === status) &&
  (role === undefined || row.role === role) &&
  (jobRole === undefined || row.jobRoles.includes(String(jobRole))) &&
  (q === undefined ||
    [row.displayName, row.firstName, row.lastName, row.email, row.externalId].some((text) =>
      text.toLowerCase().includes(String(q).toLowerCase()),
    ));

const keys: Readonly<Record<string, (row: Stored) => string>> = {
  DISPLAY_NAME: ({ displayName }) => [...displayName.toLowerCase()].slice(0, 60).join(''),
  UPDATED_AT: ({ updatedAt }) => updatedAt,
};
const expected = (rows: readonly Stored[], args: ListArguments) =>
  sorted(
    rows.filter((row) => fits(row, args)),
    keys[args.orderBy?.field ?? 'UPDATED_AT'] ?? fail(),
    args.orderBy?.direction,
  ).map(({ id }) => id);

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 1 });
const arbitrary = fc.record({
  email: fc
    .option(fc.constantFrom(climberEmail.toUpperCase(), 'nobody@skyline.example'), {
      nil: undefined,
      freq: 1,
    })
    .chain((email) => fc.constantFrom(email, undefined, undefined)),
  status: maybe(fc.constantFrom('ACTIVE', 'INVITED', 'SUSPENDED')),
  role: maybe(fc.constantFrom('member', 'foreman', 'admin', 'Member')),
  jobRoleId: maybe(
    fc.constantFrom(
      jobRoleId('tower-foreman'),
      jobRoleId('rigger'),
      jobRoleId('tower-technician-ii'),
    ),
  ),
  q: maybe(
    fc.constantFrom('a', 'SKY-10', 'lee', '@skyline', 'ö', '😀', '%', '_', 'nothing has this'),
  ),
  orderBy: maybe(
    fc.record(
      { field: fc.constantFrom(...Object.keys(keys)), direction: fc.constantFrom('ASC', 'DESC') },
      { requiredKeys: ['field'] },
    ),
  ),
});

test('any filters, in any order, in pages of any size: those that fit, each once, and their number', async () => {
  let nonEmpty = 0;
  await fc.assert(
    fc.asyncProperty(arbitrary, fc.integer({ min: 2, max: 60 }), async (some, first) => {
      const args = set({ organizationId: skylineId, ...some });
      const { ids, count } = await list.walk(args, first);
      expect(ids).toStrictEqual(expected(all, args));
      expect(count).toBe(ids.length);
      if (ids.length > 0) nonEmpty++;
    }),
    { numRuns: 150 },
  );
  ensure(nonEmpty > 40, `only ${nonEmpty} of the lists had anything in them`);
});

describe('by name, through equal ones and those that are hard on a cursor', () => {
  for (const direction of ['ASC', 'DESC'] as const) {
    test(direction, async () => {
      const args = { organizationId: skylineId, orderBy: { field: 'DISPLAY_NAME', direction } };
      for (const first of [1, 2, 5])
        expect((await list.walk(args, first)).ids).toStrictEqual(expected(all, args));
    });
  }

  test('who is renamed meanwhile does not stop the walk, and hides nobody else', async () => {
    const args = { organizationId: skylineId, orderBy: { field: 'DISPLAY_NAME' } };
    const before = expected(all, args);
    const renamed = new Set<string>();
    const { ids } = await list.walk(args, 4, async () => {
      const id = before[(renamed.size * 7 + 3) % before.length] ?? fail();
      renamed.add(id);
      await app.db.query('update organization_members set display_name = $1 where id = $2', [
        `${renamed.size % 2 ? 'zz' : '!'}${renamed.size}`,
        id,
      ]);
    });
    expect(renamed.size).toBeGreaterThan(5);
    const still = (id: string) => !renamed.has(id);
    expect(ids.filter(still)).toStrictEqual(before.filter(still));
  });

  test('a cursor that is none of the order: VALIDATION_ERROR, and never an internal one', async () => {
    const identity = [
      'members',
      [[['m.organization_id', skylineId]]],
      ['left(lower(m.display_name), 60)', false],
    ];
    const args = (updatedAt: string) => ({
      organizationId: skylineId,
      orderBy: { field: 'DISPLAY_NAME' },
      after: encodeCursor(identity, { updatedAt, id: memberId(climberEmail) }),
    });
    const good = args('m');
    await client.data(list.query(good, '{ nodes { id } }'), good);
    for (const place of ['x'.repeat(61), 'nul\0']) {
      const bad = args(place);
      expect((await client.refusal(list.query(bad, '{ nodes { id } }'), bad)).code).toBe(
        'VALIDATION_ERROR',
      );
    }
  });
});

test('a plain member finds and counts only themselves', async () => {
  const own = new OrderedList(graphOf(app, climberEmail), list.field, list.types);
  for (const more of [{}, { q: 'a' }, { orderBy: { field: 'DISPLAY_NAME' } }]) {
    expect(await own.walk({ organizationId: skylineId, ...more }, 50)).toStrictEqual({
      ids: [memberId(climberEmail)],
      count: 1,
    });
  }
  expect(await own.walk({ organizationId: skylineId, q: 'Marcus' }, 50)).toStrictEqual({
    ids: [],
    count: 0,
  });
});
