import { startApp } from '../../support/app.js';
import { countStatements, graphOf } from '../../support/graph.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  managerEmail,
  memberId,
  skylineId,
  userId,
} from '../../support/names.js';

const app = await startApp();
const { db } = app;
const mutation = `mutation ($rows: [OrganizationMemberUpsert!]!, $mode: UpsertMode, $dryRun: Boolean) {
  upsertMembers(organizationId: "${skylineId}", rows: $rows, mode: $mode, dryRun: $dryRun) {
    applied createdCount unchangedCount rows { outcome id problems { path messages } } } }`;

type Row = Record<string, unknown>;
const upsert = async (rows: Row[], options: object = {}, email = managerEmail) =>
  (await graphOf(app, email).data(mutation, { rows, ...options })).upsertMembers;
const outcomes = (result: { rows: { outcome: string }[] }) =>
  result.rows.map(({ outcome }) => outcome);
const problems = (result: { rows: { problems: { path: string; messages: string[] }[] }[] }) =>
  result.rows.map((row) =>
    row.problems.map(({ path, messages }) => `${path} ${messages.join()}`).join(),
  );
const stored = async (email: string): Promise<Row | undefined> =>
  (
    await db.query<Row>(
      `select id, user_id as "userId", email, display_name as "displayName", first_name as "firstName", role, status, is_primary as "isPrimary",
         external_id as "externalId", updated_at as "updatedAt" from organization_members where organization_id = $1 and email = $2`,
      [skylineId, email],
    )
  )[0];

describe('upsertMembers', () => {
  it('invites, whether or not the person has an account, and links by address who has no external id yet', async () => {
    await db.query(
      `insert into users (id, email, display_name, password_hash) values (gen_random_uuid(), 'known@else.example', 'Known', 'x')`,
    );
    const rows = [
      { externalId: 'e1', email: 'new@else.example', firstName: 'Nina', lastName: 'New' },
      { externalId: 'e2', email: 'Known@else.example', displayName: 'K' },
      { externalId: 'e3', email: climberEmail },
      { email: 'only-mail@else.example', role: 'manager' },
    ];
    await db.query(`update organization_members set external_id = '' where email = $1`, [
      climberEmail,
    ]);
    const climber = await stored(climberEmail);
    const result = await upsert(rows);
    expect([result, outcomes(result)]).toStrictEqual([
      expect.anything(),
      ['CREATED', 'CREATED', 'UPDATED', 'CREATED'],
    ]);
    const {
      id,
      userId: placeholder,
      updatedAt,
      ...invited
    } = (await stored('new@else.example')) ?? {};
    expect(placeholder).toBe(id);
    expect(invited).toStrictEqual({
      email: 'new@else.example',
      displayName: 'Nina New',
      firstName: 'Nina',
      role: 'member',
      status: 'invited',
      isPrimary: false,
      externalId: 'e1',
    });
    expect((await stored('Known@else.example'))?.status).toBe('invited');
    expect((await stored('only-mail@else.example'))?.role).toBe('manager');
    const linked = await stored(climberEmail);
    expect({ ...linked, updatedAt: 0 }).toStrictEqual({
      ...climber,
      externalId: 'e3',
      updatedAt: 0,
    });
    expect(linked?.userId).toBe(userId(climberEmail));

    const again = await upsert(rows);
    expect([again.unchangedCount, (await stored(climberEmail))?.updatedAt]).toStrictEqual([
      4,
      linked?.updatedAt,
    ]);
    expect(
      outcomes(
        await upsert([
          { externalId: 'e1', lastName: null, displayName: 'N.' },
          { email: 'ONLY-mail@else.example' },
        ]),
      ),
    ).toEqual(['UPDATED', 'UNCHANGED']);
    expect([
      (await stored('new@else.example'))?.displayName,
      (await stored('new@else.example'))?.firstName,
    ]).toEqual(['N.', 'Nina']);
  });

  it('tells what is wrong with each row', async () => {
    await upsert([{ externalId: 'f1', email: 'f1@else.example' }]);
    const result = await upsert(
      [
        { externalId: 'f1', email: 'other@else.example' },
        { externalId: 'f2', email: 'f1@else.example' },
        { externalId: 'f3' },
        { externalId: 'f4', email: 'no address' },
        { email: 'boss@else.example', role: 'admin' },
        { email: adminEmail, role: 'member' },
        { externalId: 'f5', email: 'f5@else.example' },
        { externalId: 'f5', email: 'F5@else.example' },
      ],
      { mode: 'PARTIAL' },
    );
    expect(problems(result)).toEqual([
      'email is not the address of this member, f1@else.example: an upsert cannot change addresses',
      'email belongs to a member with another external id',
      'email is required for a new member',
      'email must be an e-mail address',
      'role can be set to admin only by an admin',
      'role of an admin cannot be changed by an upsert',
      '',
      'externalId is already the key of row 6,email is already the address of row 6',
    ]);
    expect(
      outcomes(await upsert([{ email: 'boss@else.example', role: 'admin' }], {}, adminEmail)),
    ).toEqual(['CREATED']);
    expect((await stored(adminEmail))?.role).toBe('admin');
  });

  it('does not show that an address is the one with which a member signs in', async () => {
    await db.query(`update users set email = 'private@else.example' where id = $1`, [
      userId(bothEmail),
    ]);
    expect(outcomes(await upsert([{ email: 'private@else.example' }]))).toEqual(['CREATED']);
    expect((await upsert([{ email: bothEmail }])).rows[0].id).toBe(memberId(bothEmail));
  });

  it('makes no user in a dry run, nor when another row fails', async () => {
    const rows = [{ email: 'dry@else.example' }, { email: 'bad' }];
    for (const options of [{ dryRun: true, mode: 'PARTIAL' }, {}]) {
      expect([
        (await upsert(rows, options)).applied,
        outcomes(await upsert(rows, options)),
      ]).toEqual([false, ['CREATED', 'FAILED']]);
    }
    expect(await db.query(`select from users where email = 'dry@else.example'`)).toEqual([]);
  });

  it('makes one member of each row that several bring at once, in a constant number of statements for each 200 rows', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        externalId: `p${index}`,
        email: `p${index}@else.example`,
      }));
    const results = await Promise.all(
      Array.from({ length: 4 }, () => upsert(rows(300).sort(() => Math.random() - 0.5))),
    );
    expect([results.reduce((sum, { createdCount }) => sum + createdCount, 0)]).toEqual([300]);
    const few = await countStatements(app, () =>
      upsert(['q1', 'q2'].map((name) => ({ email: `${name}@else.example` }))),
    );
    const countOf = (some: number, prefix: string) =>
      countStatements(app, () =>
        upsert(
          rows(some).map((row) => ({
            externalId: `${prefix}${row.externalId}`,
            email: `${prefix}${row.email}`,
          })),
        ),
      );
    expect(await countOf(200, 'q')).toBe(few);
    const many = await countOf(1000, 'r');
    expect(many).toBeGreaterThan(few);
    expect(many).toBeLessThan(5 * few);
  });
});
