/**
 * What becomes of the accounts and memberships of a release before invitations belonged to
 * memberships.
 */
import { randomUUID } from 'node:crypto';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase } from '../support/database.js';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const list = migrations.migrationsList ?? [];
const isBefore = (name: string) => name < '0013';
const database = await createDatabase('template1');

async function migrateTo(
  names: typeof list,
): Promise<{ db: Database; close: () => Promise<void> }> {
  const options = {
    poolSize: 4,
    entities,
    migrations: { ...migrations, migrationsList: names } as typeof migrations,
    timeLimits: false,
  };
  const orm = await connect(database.url, options);
  await migrate(orm);
  return { db: new Database(orm.em), close: () => orm.close() };
}

const ids = Object.fromEntries(
  [
    'one',
    'two',
    'admin',
    'both',
    'invited',
    'owner',
    'adminMember',
    'bothOne',
    'bothTwo',
    'invitedMember',
    'ownerMember',
    'record',
    'type',
  ].map((name) => [name, randomUUID()]),
) as Record<string, string>;

const db = await (async (): Promise<Database> => {
  const old = await migrateTo(list.filter((each) => isBefore((each as { name: string }).name)));
  const run = (sql: string, ...values: unknown[]) => old.db.query(sql, values);
  for (const name of ['one', 'two']) {
    await run(
      `insert into organizations (id, name, slug, created_at, updated_at) values ($1, $2, $2, now(), now())`,
      ids[name],
      name,
    );
    await run('insert into organization_clocks values ($1, now())', ids[name]);
  }
  for (const name of ['admin', 'both', 'invited', 'owner'])
    await run(
      'insert into users (id, email, password_hash) values ($1, $2, $3)',
      ids[name],
      `${name}@x.example`,
      name === 'invited' ? null : 'hash',
    );
  const join = (organization: string, id: string, user: string, status: string) =>
    run(
      `insert into organization_members (organization_id, id, user_id, email, status, is_primary, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, now() - interval '1 day', now() - interval '1 day')`,
      ids[organization],
      ids[id],
      ids[user],
      `${user}@x.example`,
      status,
      id !== 'bothTwo',
    );
  await join('one', 'adminMember', 'admin', 'active');
  await join('one', 'bothOne', 'both', 'active');
  await join('two', 'bothTwo', 'both', 'active');
  await join('one', 'invitedMember', 'invited', 'invited');
  await join('two', 'ownerMember', 'owner', 'active');
  await run(
    `insert into apps (id, client_id, name, token_endpoint_auth_method, owner_id) values ($1, 'app', 'App', 'none', $2)`,
    randomUUID(),
    ids.owner,
  );
  await run(
    `insert into certification_types (id, organization_id, slug, title, scope, created_at, updated_at) values ($1, $2, 't', 'T', 'organization', now(), now())`,
    ids.type,
    ids.one,
  );
  await run(
    `insert into certifications (organization_id, id, organization_member_id, user_id, certification_type_id, source, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'api', now() - interval '1 day', now() - interval '1 day')`,
    ids.one,
    ids.record,
    ids.invitedMember,
    ids.invited,
    ids.type,
  );
  for (const [name, purpose] of [
    ['invited', 'invitation'],
    ['admin', 'reset'],
  ])
    await run(
      `insert into one_time_links (secret_hash, user_id, purpose, expires_at) values (sha256($1::bytea), $2, $3, now() + interval '1 day')`,
      name,
      ids[name ?? ''],
      purpose,
    );
  await old.close();
  const now = await migrateTo(list);
  cleanup.defer(async () => {
    await now.close();
    await database.drop();
  });
  return now.db;
})();

test('active memberships and accounts stay as they are; no address is proven', async () => {
  const members = await db.query(
    `select user_id as "userId", status, is_primary as "isPrimary" from organization_members where id = any($1) order by is_primary desc`,
    [[ids.bothOne, ids.bothTwo]],
  );
  expect(members).toStrictEqual([
    { userId: ids.both, status: 'active', isPrimary: true },
    { userId: ids.both, status: 'active', isPrimary: false },
  ]);
  expect(
    await db.query(
      `select from users where password_hash = 'hash' and email_proven_at is null and status = 'active'`,
    ),
  ).toHaveLength(3);
});

test('an account of one organization that owns no app is managed by it', async () => {
  const managed = await db.query(
    'select id, managed_by as "managedBy" from users where managed_by is not null',
  );
  expect(managed).toStrictEqual([{ id: ids.admin, managedBy: ids.one }]);
});

test('an invited membership gets its placeholder, and its records too: stamped in order, audited, in history', async () => {
  const [member] = await db.query<{ userId: string; isPrimary: boolean; updatedAt: string }>(
    `select user_id as "userId", is_primary as "isPrimary", updated_at as "updatedAt" from organization_members where id = $1`,
    [ids.invitedMember],
  );
  const [record] = await db.query<{ userId: string; updatedAt: string }>(
    `select user_id as "userId", updated_at as "updatedAt" from certifications where id = $1`,
    [ids.record],
  );
  expect([member?.userId, member?.isPrimary, record?.userId]).toStrictEqual([
    ids.invitedMember,
    false,
    ids.invitedMember,
  ]);
  expect((member?.updatedAt ?? '') < (record?.updatedAt ?? '')).toBe(true);
  const events = await db.query<{ at: string; subject: string }>(
    `select occurred_at as at, subject_id as subject from audit_events where action = 'update' order by occurred_at`,
  );
  expect(events).toStrictEqual([
    { at: member?.updatedAt, subject: ids.invitedMember },
    { at: record?.updatedAt, subject: ids.record },
  ]);
  const [clock] = await db.query<{ isAhead: boolean }>(
    'select ticked_at >= $2 as "isAhead" from organization_clocks where organization_id = $1',
    [ids.one, record?.updatedAt],
  );
  expect(clock?.isAhead).toBe(true);
  expect(
    (
      await db.query(
        'select from certification_history where certification_id = $1 and recorded_at = $2',
        [ids.record, record?.updatedAt],
      )
    ).length,
  ).toBe(1);
});

test('links that open accounts end, and those that reset passwords work on', async () => {
  expect(
    await db.query('select purpose, is_mailed as "isMailed" from one_time_links'),
  ).toStrictEqual([{ purpose: 'reset', isMailed: false }]);
});
