/** PostgreSQL dies and comes back; the servers stay. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ensure } from '../support/expect.js';
import { skyline, skylineId } from '../support/names.js';
import { untilEnd } from '../support/until-end.js';
import { startCluster } from './cluster.js';
import { baseUrl, sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const cluster = untilEnd(await startCluster());
const fleet = await startFleet(cluster.url);

/** Milliseconds until each server reads and writes again. */
async function recovery(readyAt: number): Promise<number> {
  const isServing = async (base: string) => {
    const ready = await fetch(`${base}/readyz`);
    const headers = { authorization: `Bearer ${fleet.token}` };
    return ready.ok && (await fetch(`${base}${skyline}/certifications?limit=1`, { headers })).ok;
  };
  for (const base of fleet.bases) {
    while (!(await isServing(base))) {
      ensure(performance.now() - readyAt < 30_000, `${base} does not recover`);
      await delay(5);
    }
  }
  return performance.now() - readyAt;
}

test('PostgreSQL is killed and started again: 503 with Retry-After meanwhile, nothing acknowledged is lost, and no server needs a restart', async () => {
  const recoveries: number[] = [];
  const deaths = sized(5, 10);
  await Load.during(fleet, { limit: 4000 }, async ({ caller }) => {
    for (let count = 0; count < deaths; count++) {
      await delay(300);
      await caller.nextWrite(fleet.bases[0] ?? '');
      await cluster.kill(count % 2 === 0 ? 'SIGKILL' : 'SIGQUIT');
      await delay(300);
      recoveries.push(await recovery(await cluster.start()));
    }
    expect(caller.counts['503'] ?? 0).toBeGreaterThan(deaths);
  });
  console.info(
    `served again ${recoveries.map((each) => each.toFixed(0)).join(', ')} ms after PostgreSQL was ready`,
  );
  expect(Math.max(...recoveries)).toBeLessThan(2000);
});

const jsonBody = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const signedIn = () => ({ authorization: `Bearer ${fleet.token}` });
const app = 'client_id=demo-dashboard';
const grant = `${app}&grant_type=refresh_token&refresh_token=none`;
const codeRequest = `${app}&response_type=code&redirect_uri=http://127.0.0.1/&code_challenge=${'a'.repeat(43)}&code_challenge_method=S256`;
const subscription = JSON.stringify({
  query: `subscription { changes(organizationId: "${skylineId}") { nodes { kind } } }`,
});

/** One of each way into the server: what it answers while there is no database. */
const doors: [
  status: number,
  method: string,
  path: string,
  headers?: () => Record<string, string>,
  body?: string,
][] = [
  [200, 'GET', '/livez'],
  [503, 'GET', '/readyz'],
  [503, 'GET', '/v1/me', signedIn],
  [
    503,
    'POST',
    '/graphql',
    () => ({ ...signedIn(), ...jsonBody }),
    '{"query":"{ me { user { id } } }"}',
  ],
  [503, 'POST', '/graphql/stream', () => ({ ...signedIn(), ...jsonBody }), subscription],
  [503, 'POST', '/auth/v1/oauth/token', () => form, grant],
  [503, 'POST', '/auth/v1/oauth/introspect', () => form, `${app}&token=none`],
  [503, 'POST', '/auth/v1/oauth/revoke', () => form, `${app}&token=none`],
  [503, 'GET', `/auth/v1/oauth/authorize?${codeRequest}`],
  [503, 'GET', '/auth/v1/oauth/userinfo', signedIn],
  [200, 'GET', '/auth/v1/oauth/jwks'],
  [200, 'GET', '/portal/sign-in'],
  [503, 'GET', '/portal/links/none'],
];

test('without a database every door that needs one answers 503 with Retry-After, and the others open', async () => {
  await cluster.kill('SIGKILL');
  const answers = await Promise.all(
    doors.map(([, method, path, headers, body]) => knock(method, path, headers?.() ?? {}, body)),
  );
  const expected = doors.map(
    ([status, method, path]) =>
      `${method} ${path}: ${status}${status === 503 ? ' and Retry-After 1' : ''}`,
  );
  expect(answers).toStrictEqual(expected);
  await cluster.start();
});

/** As a proxy would that serves the host of the servers' own URL. */
async function knock(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<string> {
  const sending = request(`${fleet.bases[0]}${path}`, {
    method,
    headers: { ...headers, host: new URL(baseUrl).host },
  });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  const after = response.headers['retry-after'];
  return `${method} ${path}: ${response.statusCode}${after === undefined ? '' : ` and Retry-After ${after}`}`;
}
