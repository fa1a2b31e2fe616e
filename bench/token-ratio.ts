/**
 * Token requests a second as a ratio to GET /v1/me, in turns of a quarter second on one server process, so that both meet the same machine:
 * node --test --test-global-setup=dist/test/support/global.js dist/bench/token-ratio.js
 */
import { test } from 'node:test';
import { climber, startOAuthApp, ThirdParty } from '../test/auth/oauth/client.js';
import { startProcess } from '../test/auth/oauth/processes.js';

const workers = 8;
const turn = 250;
const turns = 20;

interface Work {
  readonly name: string;
  /** One request of the worker. */
  run(worker: number): Promise<void>;
  requests: number;
  milliseconds: number;
}

async function measure(work: Work): Promise<void> {
  const started = performance.now();
  const until = started + turn;
  const loop = async (worker: number) => {
    while (performance.now() < until) {
      await work.run(worker);
      work.requests++;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)));
  work.milliseconds += performance.now() - started;
}

test('tokens a second', async () => {
  const app = await startOAuthApp();
  const server = await startProcess(app);
  const reader = ThirdParty.reader(app.base);

  async function refreshing(name: string, scope: string): Promise<Work> {
    const issued = await Promise.all(Array.from({ length: workers }, () => reader.signIn(climber, { scope })));
    const tokens = issued.map(({ refresh_token }) => refresh_token);
    const run = async (worker: number) => {
      const fields = { client_id: 'demo-reader', grant_type: 'refresh_token', refresh_token: tokens[worker] ?? '' };
      const response = await server.fetch('/auth/v1/oauth/token', { method: 'POST', body: new URLSearchParams(fields) });
      if (!response.ok) throw new Error(await response.text());
      tokens[worker] = ((await response.json()) as { refresh_token: string }).refresh_token;
    };
    return { name, run, requests: 0, milliseconds: 0 };
  }

  const { access_token } = await reader.signIn(climber);
  const me: Work = {
    name: 'GET /v1/me',
    run: async () => {
      const response = await server.fetch('/v1/me', { headers: { authorization: `Bearer ${access_token}` } });
      if (!response.ok) throw new Error(await response.text());
      await response.json();
    },
    requests: 0,
    milliseconds: 0,
  };
  const all = [
    me,
    await refreshing('refresh, no ID token', 'profile email'),
    await refreshing('refresh with ID token', 'openid profile email'),
  ];
  for (const work of all) await measure(work);
  for (const work of all) Object.assign(work, { requests: 0, milliseconds: 0 });
  for (let count = 0; count < turns; count++) for (const work of all) await measure(work);

  const rate = ({ requests, milliseconds }: Work) => (requests / milliseconds) * 1000;
  for (const work of all)
    console.log(`${work.name.padEnd(24)} ${rate(work).toFixed(0).padStart(6)}/s  ratio ${(rate(work) / rate(me)).toFixed(2)}`);
});
