/** Without telemetry none of it is loaded. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../support/app.js';
import { freePort } from '../support/server.js';
import { startObserved } from './server.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-loaded-'));
after(() => rmSync(folder, { recursive: true }));

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
  const server = await startObserved({ NODE_OPTIONS: `--import=${hook}`, LOADED: file, ...environment });
  assert.equal((await send(server.base, 'GET', '/v1/me', { token: server.token })).status, 200);
  await delay(50);
  assert.equal((await server.stop()).code, 0);
  return readFileSync(file, 'utf8').split('\n');
}

const isTelemetry = (url: string): boolean => url.includes('@opentelemetry') || /dist\/src\/telemetry\/(?!load|observer)/.test(url);

test('no module of OpenTelemetry is loaded, and none of ours that uses it', async () => {
  const modules = await loaded('off', {});
  assert.ok(modules.some((url) => url.endsWith('dist/src/telemetry/observer.js')));
  assert.deepEqual(modules.filter(isTelemetry), []);
});

test('they are where METRICS_PORT is set', async () => {
  const modules = await loaded('on', { METRICS_PORT: String(await freePort()) });
  assert.ok(modules.filter(isTelemetry).length > 20);
});
