/** Without telemetry none of it is loaded. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../support/app.js';
import { freePort } from '../support/server.js';
import { startObserved } from './server.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-loaded-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes down every module that is loaded, by `import` or `require`. */
const hook = join(folder, 'hook.mjs');
writeFileSync(
  hook,
  `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });`,
);

async function loaded(name: string, environment: Record<string, string>): Promise<string[]> {
  const file = join(folder, name);
  await using server = await startObserved({
    NODE_OPTIONS: `--import=${hook}`,
    LOADED: file,
    ...environment,
  });
  expect((await send(server.base, 'GET', '/v1/me', { token: server.token })).status).toBe(200);
  await delay(50);
  expect((await server.stop()).code).toBe(0);
  return readFileSync(file, 'utf8').split('\n');
}

const isTelemetry = (url: string): boolean =>
  url.includes('@opentelemetry') || /dist\/src\/telemetry\/(?!load|observer)/.test(url);

test('no module of OpenTelemetry is loaded, and none of ours that uses it', async () => {
  const modules = await loaded('off', {});
  expect(modules.some((url) => url.endsWith('dist/src/observer.js'))).toBe(true);
  expect(modules.filter(isTelemetry)).toEqual([]);
});

test('they are where METRICS_PORT is set', async () => {
  const modules = await loaded('on', { METRICS_PORT: String(await freePort()) });
  expect(modules.filter(isTelemetry).length).toBeGreaterThan(20);
});
