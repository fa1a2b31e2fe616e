import pg from 'pg';
import { recordChanges, takeStamps } from '../../src/database/record-changes.js';
import { tickChannel } from '../../src/database/version-clock.js';
import { unstampedSubjects } from '../../src/entities/change-log.js';
import { startApp } from '../support/app.js';
import { newCertification, newCertificationType, nobody } from '../support/changes.js';
import { bothEmail, harborId, memberId, skylineId, typeId } from '../support/names.js';

const app = await startApp();

test('a tick announces itself only where somebody listens: announcing transactions commit one by one', async () => {
  const client = new pg.Client(app.url);
  await client.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => void heard.push(payload));
  await client.query(`listen ${tickChannel}`);
  try {
    await app.db.transaction((tx) => takeStamps(tx, skylineId, 1));
    await client.query('select 1');
    expect(heard).toEqual([]);
    await client.query(
      `insert into change_listeners (organization_id, listener_id, expires_at) values ($1, gen_random_uuid(), now() + interval '1 minute')`,
      [skylineId],
    );
    await app.db.transaction((tx) => takeStamps(tx, skylineId, 1));
    await client.query('select 1');
    expect(heard).toStrictEqual([skylineId]);
  } finally {
    await client.end();
  }
});

test('stamps are distinct, rising and in the order asked for', async () => {
  const one = await app.db.transaction((tx) => takeStamps(tx, skylineId, 300));
  const two = await app.db.transaction((tx) => takeStamps(tx, skylineId, 2));
  const all = [...one, ...two];
  expect(new Set(all).size).toBe(302);
  expect(all).toStrictEqual(all.toSorted());
});

/** The place of the clock's row: each update of a row makes a version at another place. */
const placeOfClock = async (): Promise<string | undefined> => {
  const [row] = await app.db.query<{ at: string }>(
    'select ctid::text as at from organization_clocks where organization_id = $1',
    [skylineId],
  );
  return row?.at;
};

describe('a write leaves no version of a row behind that an old snapshot keeps', () => {
  test('the row of the clock is locked and not updated, by single changes and by several', async () => {
    const place = await placeOfClock();
    expect(place).toBeDefined();
    const single = () => [newCertification(skylineId, memberId(bothEmail))];
    for (const changes of [single(), [...single(), newCertificationType(skylineId)], single()])
      await app.db.transaction((tx) => recordChanges(tx, nobody, changes));
    expect(await placeOfClock()).toBe(place);
  });

  test('a create in a group does not update it', async () => {
    const place = await placeOfClock();
    const token = await app.token(bothEmail);
    const body = { certification_type_id: typeId('rf-awareness') };
    const created = await Promise.all(
      Array.from({ length: 8 }, () => app.rest('POST', '/v1/certifications', { token, body })),
    );
    expect(created.map(({ status }) => status)).toStrictEqual(created.map(() => 201));
    expect(await placeOfClock()).toBe(place);
  });

  test('no index has the time of a clock', async () => {
    const indexes = await app.db.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index where indrelid = 'organization_clocks'::regclass`,
    );
    expect(indexes).toStrictEqual([{ name: 'organization_clocks_pkey' }]);
  });
});

test('a stamp is later than those of all organizations, also when they are ahead of the time', async () => {
  const ahead = '2100-01-01T00:00:00.000001Z';
  await app.db.query(
    `insert into audit_events (id, organization_id, action, subject_type, subject_id, changes, occurred_at)
     values (gen_random_uuid(), $1::uuid, 'update', 'Organization', $1::uuid::text, '{}', $2)`,
    [harborId, ahead],
  );
  const [stamp] = await app.db.transaction((tx) => takeStamps(tx, skylineId, 1));
  expect(stamp).toBe('2100-01-01T00:00:00.000002Z');
});

test('the events that no clock stamps do not count as the last stamp of an organization', async () => {
  const [indexed] = await app.db.query<{ condition: string }>(
    `select pg_get_expr(indpred, indrelid) as condition from pg_index where indexrelid = 'audit_events_stamps'::regclass`,
  );
  for (const subject of unstampedSubjects) expect(indexed?.condition).toContain(`'${subject}'`);
  expect(indexed?.condition.match(/'/g)).toHaveLength(2 * unstampedSubjects.length);
});
