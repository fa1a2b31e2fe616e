import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { attachEmbedded, startEmbedded } from '../../src/database/embedded.js';

let directory: string;
const fast = { durable: false };

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'lanyard-embedded-'));
  chmodSync(directory, 0o755);
});

after(() => rmSync(directory, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows.flat()[0];
  } finally {
    await client.end();
  }
}

/** Another process that starts PostgreSQL and stays. */
async function startElsewhere(): Promise<ChildProcess> {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('../../src/database/embedded.js', import.meta.url).href)});
    const { url } = await startEmbedded(${JSON.stringify(directory)}, { durable: false });
    console.log(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

const pidOf = () => Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('a first start makes a cluster that only this machine and the holder of the password reach', async () => {
  assert.equal(await attachEmbedded(directory), undefined);
  const server = await startEmbedded(directory, fast);
  try {
    const { hostname, port, pathname } = new URL(server.url);
    assert.deepEqual([hostname, pathname], ['127.0.0.1', '/lanyard']);
    assert.ok(Number(port) < 32_768);
    assert.equal(await ask(server.url, 'select current_database()'), 'lanyard');
    assert.equal(await ask(server.url, 'show listen_addresses'), '127.0.0.1');
    assert.equal(await ask(server.url, 'show unix_socket_directories'), '');
    assert.equal(await ask(server.url, 'show server_encoding'), 'UTF8');
    assert.equal(statSync(join(directory, 'password')).mode & 0o777, 0o600);
    await assert.rejects(ask(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1'), { code: '28P01' });
    await ask(server.url, 'create table kept as select 42 as answer');
  } finally {
    await server.stop();
  }
  assert.equal(await attachEmbedded(directory), undefined);
});

test('a later start keeps the data, and others in its time attach but may not start', async () => {
  const server = await startEmbedded(directory, fast);
  try {
    assert.equal(await attachEmbedded(directory), server.url);
    assert.equal(await ask(server.url, 'select answer from kept'), 42);
    await assert.rejects(startEmbedded(directory), /is already running/);
    assert.equal(await ask(server.url, 'select 1'), 1);
  } finally {
    await Promise.all([server.stop(), server.stop()]);
  }
});

test('a server whose owner was killed is taken over as it runs', async () => {
  const other = await startElsewhere();
  await assert.rejects(startEmbedded(directory), /is already running/);
  const orphan = pidOf();
  other.kill('SIGKILL');
  const server = await startEmbedded(directory, fast);
  try {
    assert.equal(pidOf(), orphan);
    assert.equal(await ask(server.url, 'select answer from kept'), 42);
  } finally {
    await server.stop();
  }
  assert.equal(await attachEmbedded(directory), undefined);
});

test('what a crash of everything left behind does not keep it from starting', async () => {
  const other = await startElsewhere();
  const pidFile = join(directory, 'cluster', 'postmaster.pid');
  const left = readFileSync(pidFile, 'utf8');
  process.kill(pidOf(), 'SIGKILL');
  other.kill('SIGKILL');
  await once(other, 'exit');
  // The worst case: after a reboot the number belongs to another process, of the same user.
  writeFileSync(pidFile, left.replace(/^\d+/, String(process.pid)));
  const server = await startEmbedded(directory, fast);
  try {
    assert.equal(await ask(server.url, 'select answer from kept'), 42);
  } finally {
    await server.stop();
  }
});

test('a start that fails says what PostgreSQL said, and leaves nothing that bars the next', async () => {
  await assert.rejects(
    startEmbedded(directory, { ...fast, settings: { shared_buffers: 'plenty' } }),
    /didn't start[\s\S]*invalid value for parameter "shared_buffers"/,
  );
  const server = await startEmbedded(directory, fast);
  await server.stop();
});

const asRoot = { skip: process.getuid?.() !== 0 && 'only root runs PostgreSQL as somebody else' };
test('root starts it where the user who runs it may not pass, such as below /root', asRoot, async () => {
  chmodSync(directory, 0o700);
  const server = await startEmbedded(directory, fast);
  try {
    assert.equal(await ask(server.url, 'select answer from kept'), 42);
  } finally {
    await server.stop();
  }
});
