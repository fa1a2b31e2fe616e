/** `lanyard doctor` on what stands beside a PostgreSQL: standby, pooler, Redis, mail server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { diagnose } from '../../src/operator/doctor/command.js';
import { settleRole, startBouncer } from '../pooler/bouncer.js';
import { startPair, until } from '../standby/servers.js';
import { createDatabase } from '../support/database.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';

/** What the doctor finds of one part. */
async function found(check: string, environment: Record<string, string>): Promise<string> {
  const { checks } = await diagnose(environment);
  const finding = checks.find((each) => each.check === check) ?? assert.fail(JSON.stringify(checks));
  return `${finding.level}: ${finding.found} ${finding.remedy ?? ''}`;
}

describe('lanyard doctor on a standby', async () => {
  const { primary, standby, another, stop } = await startPair();
  after(stop);
  const with_ = (DATABASE_REPLICA_URL: string) => found('standby', { DATABASE_URL: primary.url, DATABASE_REPLICA_URL });

  it('says when it has caught up', async () => {
    await until(async () => (await with_(standby.url)).startsWith('ok: caught up'));
  });

  it('finds one that lags, one of another database, one that is down, and a primary in its place', async () => {
    const late = await another('late', primary, { recovery_min_apply_delay: '1min' });
    await delay(500);
    await primary.query(`update users set display_name = display_name || ''`);
    assert.match(await with_(late.url), /^warning: it is \d+ bytes of log behind .* pg_stat_replication/);
    assert.match(await with_(standby.urlOf('postgres')), /^failure: .* of another database/);
    assert.match(await with_(primary.url), /^warning: .* leads to no standby/);
    await late.stop();
    assert.match(await with_(late.url), /^warning: DATABASE_REPLICA_URL: .*ECONNREFUSED/);
  });

  it('refuses a standby as the primary', async () => {
    assert.match(await found('database', { DATABASE_URL: standby.url }), /^failure: it is a standby, .* to the primary/);
  });
});

describe('lanyard doctor on a pooler', { skip: !isInstalled('pgbouncer') && "needs Debian's pgbouncer" }, () => {
  it('finds a role without settings, one of another database, and a way past the pooler that is none', async (t) => {
    const [database, other] = [await createDatabase(), await createDatabase()];
    const bouncer = await startBouncer(database.url, 4);
    t.after(async () => {
      await bouncer.stop();
      await Promise.all([database.drop(), other.drop()]);
    });
    const pooled = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
    assert.match(await found('pooler', pooled), /^failure: .*timezone = 'UTC'.*transaction_timeout = '10000'.*RECONNECT/);
    await settleRole(database.url, bouncer);
    assert.match(await found('pooler', pooled), /^ok: /);
    assert.match(await found('pooler', { ...pooled, DATABASE_DIRECT_URL: other.url }), /^failure: .* different databases/);
    assert.match(await found('database', { DATABASE_URL: bouncer.url }), /^failure: .* It leads to a pooler: set DATABASE_DIRECT_URL/);
    await bouncer.command(`set ignore_startup_parameters = 'options'`);
    assert.match(await found('listener', { DATABASE_URL: bouncer.url }), /^failure: no notification arrived/);
  });
});

describe('lanyard doctor on other services', async () => {
  const { url: DATABASE_URL, drop } = await createDatabase();
  after(drop);

  it('finds a Redis that may be written to, and one that may not', {
    skip: !isInstalled('redis-server') && "needs Debian's redis-server",
  }, async () => {
    const [master, replica] = [await startRedis(), await startRedis()];
    assert.match(await found('Redis', { DATABASE_URL, REDIS_URL: master.url }), /^ok: /);
    const socket = connect(replica.port, '127.0.0.1');
    socket.write(`replicaof 127.0.0.1 ${master.port}\r\n`);
    await once(socket, 'data');
    socket.destroy();
    assert.match(await found('Redis', { DATABASE_URL, REDIS_URL: replica.url }), /^warning: it is a replica/);
  });

  it('connects to the mail server and says nothing', async (t) => {
    const heard: Buffer[] = [];
    const server = createServer((socket) => socket.on('error', () => {}).on('data', (data) => void heard.push(data)));
    t.after(() => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    assert.match(await found('mail', { DATABASE_URL, SMTP_URL: `smtp://127.0.0.1:${port}` }), /^ok: /);
    assert.deepEqual(heard, []);
  });
});
