/** `lanyard doctor` on what stands beside a PostgreSQL: standby, pooler, Redis, mail server. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { diagnose } from '../../src/cli/doctor/command.js';
import { settleRole, startBouncer } from '../pooler/bouncer.js';
import { startPair, until } from '../standby/servers.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { fail } from '../support/expect.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';

/** What the doctor finds of one part. */
async function found(check: string, environment: Record<string, string>): Promise<string> {
  const { checks } = await diagnose(environment);
  const finding = checks.find((each) => each.check === check) ?? fail(JSON.stringify(checks));
  return `${finding.level}: ${finding.found} ${finding.remedy ?? ''}`;
}

describe('lanyard doctor on a standby', () => {
  let pair: Awaited<ReturnType<typeof startPair>>;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair?.stop());
  const with_ = (DATABASE_REPLICA_URL: string) =>
    found('standby', { DATABASE_URL: pair.primary.url, DATABASE_REPLICA_URL });

  it('says when it has caught up', async () => {
    await until(async () => (await with_(pair.standby.url)).startsWith('ok: caught up'));
  });

  it('finds one that lags, one of another database, one that is down, and a primary in its place', async () => {
    const { primary, standby, another } = pair;
    const late = await another('late', primary, { recovery_min_apply_delay: '1min' });
    await delay(500);
    await primary.query(`update users set display_name = display_name || ''`);
    expect(await with_(late.url)).toMatch(
      /^warning: it is \d+ bytes of log behind .* pg_stat_replication/,
    );
    expect(await with_(standby.urlOf('postgres'))).toMatch(/^failure: .* of another database/);
    expect(await with_(primary.url)).toMatch(/^warning: .* is not a standby/);
    await late.stop();
    expect(await with_(late.url)).toMatch(/^warning: DATABASE_REPLICA_URL: .*ECONNREFUSED/);
  });

  it('refuses a standby as the primary', async () => {
    expect(await found('database', { DATABASE_URL: pair.standby.url })).toMatch(
      /^failure: it is a standby, .* to the primary/,
    );
  });
});

(!isInstalled('pgbouncer') ? describe.skip : describe)('lanyard doctor on a pooler', () => {
  it('finds a role without settings, one of another database, and a way past the pooler that is none', async () => {
    await using cleanup = new AsyncDisposableStack();
    const [database, other] = [await createDatabase(), await createDatabase()];
    const bouncer = await startBouncer(database.url, 4);
    cleanup.defer(async () => {
      await bouncer.stop();
      await Promise.all([database.drop(), other.drop()]);
    });
    const pooled = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
    expect(await found('pooler', pooled)).toMatch(
      /^failure: .*timezone = 'UTC'.*transaction_timeout = '10000'.*RECONNECT/,
    );
    await settleRole(database.url, bouncer);
    expect(await found('pooler', pooled)).toMatch(/^ok: /);
    expect(await found('pooler', { ...pooled, DATABASE_DIRECT_URL: other.url })).toMatch(
      /^failure: .* different databases/,
    );
    expect(await found('database', { DATABASE_URL: bouncer.url })).toMatch(
      /^failure: .* It is the URL of a pooler: set DATABASE_DIRECT_URL/,
    );
    await bouncer.command(`set ignore_startup_parameters = 'options'`);
    expect(await found('listener', { DATABASE_URL: bouncer.url })).toMatch(
      /^failure: no notification arrived/,
    );
  });
});

describe('lanyard doctor on other services', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database?.drop());

  (!isInstalled('redis-server') ? it.skip : it)(
    'finds a Redis that may be written to, and one that may not',
    async () => {
      await using master = await startRedis();
      await using replica = await startRedis();
      expect(await found('Redis', { DATABASE_URL: database.url, REDIS_URL: master.url })).toMatch(
        /^ok: /,
      );
      const socket = connect(replica.port, '127.0.0.1');
      socket.write(`replicaof 127.0.0.1 ${master.port}\r\n`);
      await once(socket, 'data');
      socket.destroy();
      expect(await found('Redis', { DATABASE_URL: database.url, REDIS_URL: replica.url })).toMatch(
        /^warning: it is a replica/,
      );
    },
  );

  it('connects to the mail server and says nothing', async () => {
    await using cleanup = new AsyncDisposableStack();
    const heard: Buffer[] = [];
    const server = createServer((socket) =>
      socket.on('error', () => {}).on('data', (data) => void heard.push(data)),
    );
    cleanup.defer(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    expect(
      await found('mail', { DATABASE_URL: database.url, SMTP_URL: `smtp://127.0.0.1:${port}` }),
    ).toMatch(/^ok: /);
    expect(heard).toEqual([]);
  });
});
