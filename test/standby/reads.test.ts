/** Reads on a standby: as fresh as on the primary, and never worse off for it. */
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import { clientOf, dataOf } from '../support/client.js';
import { sendSample, walk } from '../support/each-route.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import { startPair } from './servers.js';

const pair = await startPair();
const app = await startApp(
  { DATABASE_REPLICA_URL: pair.standby.url },
  { url: pair.primary.url, drop: pair.stop },
);

const prefer = { prefer: 'read=standby' };
const applied = ({ headers }: { headers: Headers }) => headers.get('preference-applied');
const manager = clientOf(app, managerEmail);
const types = `${skyline}/certification-types`;
const createType = async () =>
  dataOf(await manager.post(types, { title: `Type ${crypto.randomUUID()}` }), 201).id as string;

/** When a result was evaluated is of the request. */
const withoutTime = (text: string) => text.replace(/"evaluated_at":"[^"]+"/g, '');

walk(
  'is answered by the standby as by the primary, where the caller allows it',
  ({ endpoint }) => endpoint.route.method === 'GET',
  async (sample) => {
    const [onStandby, onPrimary] = [
      await sendSample(app, sample, { headers: prefer }),
      await sendSample(app, sample),
    ];
    expect([applied(onStandby), applied(onPrimary)]).toEqual(['read=standby', null]);
    expect(onStandby.status).toBe(200);
    expect(withoutTime(onStandby.text)).toBe(withoutTime(onPrimary.text));
  },
);

describe('the preference', () => {
  test('is heard in a list of preferences, and no other is', async () => {
    for (const [header, expected] of [
      ['respond-async, Read="standby"; x=1, wait=10', 'read=standby'],
      ['read=standby', 'read=standby'],
      ['read=primary', null],
      ['thread=standby', null],
      ['read=standbys', null],
    ] as const)
      expect([header, applied(await manager.get(types, { prefer: header }))]).toStrictEqual([
        header,
        expected,
      ]);
  });

  test('holds for GraphQL queries, and for no mutation', async () => {
    const options = { token: await app.token(managerEmail), headers: prefer };
    const query = await app.graphql('{ me { user { email } } }', {}, options);
    expect([query.body.data.me.user.email, applied(query)]).toStrictEqual([
      managerEmail,
      'read=standby',
    ]);
    const input = { title: 'Made beside the standby' };
    const mutation = await app.graphql(
      'mutation ($id: ID!, $input: CertificationTypeCreate!) { createCertificationType(organizationId: $id, input: $input) { id } }',
      { id: skylineId, input },
      options,
    );
    expect([mutation.text, mutation.body.errors]).toStrictEqual([mutation.text, undefined]);
    expect(applied(mutation)).toBeNull();
  });

  test('leads to 304, too', async () => {
    const path = `${types}/${await createType()}`;
    const etag = (await manager.get(path)).headers.get('etag') ?? '';
    const unchanged = await manager.get(path, { ...prefer, 'if-none-match': etag });
    expect([unchanged.status, applied(unchanged)]).toEqual([304, 'read=standby']);
  });
});

test('the line in the log counts the statements of both servers', async () => {
  const before = app.log.length;
  await manager.get(types, prefer);
  const [line] = app.log.slice(before) as { statements?: number }[];
  // Who is asking, how far the primary is, one look at least at how far the standby is, the page.
  ensure((line?.statements ?? 0) >= 4, JSON.stringify(line));
});

describe('after a write of their own', () => {
  const write = async () => {
    const body = {
      organization_member_id: memberId(climberEmail),
      certification_type_id: typeId('rf-awareness'),
    };
    return dataOf(await manager.post(`${skyline}/certifications`, body), 201) as {
      id: string;
      updated_at: string;
    };
  };
  const isStale = async (
    { id, updated_at }: { id: string; updated_at: string },
    onStandby: { count: number },
  ) => {
    const before = new Date(Date.parse(updated_at) - 1).toISOString();
    const response = await manager.get(
      `${skyline}/certifications?updated_after=${before}&limit=200`,
      prefer,
    );
    if (applied(response)) onStandby.count++;
    return !dataOf(response).some((record: { id: string }) => record.id === id);
  };

  const turns = sized(30, 125);
  test(`${8 * turns} times, eight callers at once: each sees it in the next list, most of them on the standby`, async () => {
    const onStandby = { count: 0 };
    let stale = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let turn = 0; turn < turns; turn++)
          if (await isStale(await write(), onStandby)) stale++;
      }),
    );
    console.info(
      `${8 * turns} reads after a write of one's own: ${stale} stale, ${onStandby.count} on the standby`,
    );
    expect(stale).toBe(0);
    expect(onStandby.count).toBeGreaterThan(4 * turns);
  }, 110_000);

  test('while the standby is 100 ms late: none is stale, though without waiting all would be', async () => {
    const delayed = async (value: string) => {
      await pair.standby.query(`alter system set recovery_min_apply_delay = '${value}'`);
      await pair.standby.query('select pg_reload_conf()');
    };
    await delayed('100ms');
    const onStandby = { count: 0 };
    let [stale, careless] = [0, 0];
    for (let turn = 0; turn < 25; turn++) {
      const written = await write();
      if (
        (await pair.standby.query('select from certifications where id = $1', [written.id]))
          .length === 0
      )
        careless++;
      if (await isStale(written, onStandby)) stale++;
    }
    await delayed('0');
    console.info(
      `25 reads, 100 ms late: ${stale} stale, ${onStandby.count} on the standby; without waiting ${careless} stale`,
    );
    expect(stale).toBe(0);
    expect(onStandby.count).toBeGreaterThan(0);
    expect(careless).toBeGreaterThan(0);
  });
});

test('a revoked grant holds at once, however late the standby is', async () => {
  await pair.standby.query('select pg_wal_replay_pause()');
  try {
    const token = await app.token(climberEmail);
    const get = async () => (await app.rest('GET', '/v1/me', { token, headers: prefer })).status;
    expect(await get()).toBe(200);
    await app.db.query(
      `update grants set expires_at = now() where user_id = (select id from users where email = $1)`,
      [climberEmail],
    );
    expect(await get()).toBe(401);
  } finally {
    await pair.standby.query('select pg_wal_replay_resume()');
  }
});
