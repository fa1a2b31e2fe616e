/** Guessing an app's secret, at each of the endpoints that take one, on two processes. */
import { failuresPerAddress, failuresPerApp } from '../../../src/auth/oauth/limits.js';
import { demoSyncSecret } from '../../../src/demo/apps.js';
import { basic, startOAuthApp } from '../../auth/oauth/client.js';
import { ownProcess, startProcess } from '../../auth/oauth/processes.js';

const app = await startOAuthApp({ TRUST_PROXY: 'true' });
const processes = [ownProcess(app), await startProcess(app)] as const;
const endpoints = ['token', 'introspect', 'revoke'] as const;

interface Attempt {
  readonly clientId?: string;
  readonly address?: string;
  readonly endpoint?: (typeof endpoints)[number];
  readonly process?: 0 | 1;
}

/** Tries a secret. A right one is a 400 at the token endpoint: the code is none. */
async function attempt(
  secret: string,
  {
    clientId = 'demo-sync',
    address = '203.0.113.1',
    endpoint = 'token',
    process = 0,
  }: Attempt = {},
) {
  const fields = {
    grant_type: 'authorization_code',
    code: 'c',
    code_verifier: 'v'.repeat(43),
    redirect_uri: 'https://x.example',
    token: 't',
  };
  const response = await processes[process].fetch(`/auth/v1/oauth/${endpoint}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { authorization: basic(clientId, secret), 'x-forwarded-for': address },
  });
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  return { status: response.status, error, retryAfter: response.headers.get('retry-after') };
}

const statuses = async (attempts: ReturnType<typeof attempt>[]) =>
  (await Promise.all(attempts)).map(({ status }) => status);

beforeEach(() => app.db.query('delete from sign_in_attempts'));

describe('wrong client secrets', () => {
  it('end in 429 at whatever endpoint and process, and so does the right one; elsewhere, and after the wait, it works', async () => {
    for (let failure = 0; failure < failuresPerApp; failure++) {
      const { status, error } = await attempt(`guess ${failure}`, {
        endpoint: endpoints[failure % 3] ?? 'token',
        process: failure % 2 ? 1 : 0,
      });
      expect([status, error]).toEqual([401, 'invalid_client']);
    }
    for (const endpoint of endpoints) {
      for (const secret of ['another guess', demoSyncSecret]) {
        const { status, error, retryAfter } = await attempt(secret, { endpoint, process: 1 });
        expect([status, error]).toEqual([429, 'temporarily_unavailable']);
        expect(Number(retryAfter)).toBeGreaterThan(50);
        expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      }
    }
    expect((await attempt(demoSyncSecret, { address: '203.0.113.2' })).status).toBe(400);
    await app.db.query('update sign_in_attempts set expire = $1', [Date.now() - 1]);
    expect((await attempt(demoSyncSecret)).status).toBe(400);
  });

  it('that come in crowds are looked at in the first crowd at the most', async () => {
    const crowd = () =>
      statuses(
        Array.from({ length: 50 }, (_, index) =>
          attempt(`guess ${index}`, { process: index % 2 ? 1 : 0 }),
        ),
      );
    expect([...new Set(await crowd())].filter((status) => status !== 429)).toEqual([401]);
    expect([...new Set(await crowd())]).toEqual([429]);
  });

  it('of many apps are limited by the address', async () => {
    await app.db.query(
      `insert into apps (id, client_id, name, token_endpoint_auth_method, redirect_uris, api_scopes)
       select gen_random_uuid(), 'many-' || n, 'Many', 'client_secret_basic', '{https://x.example/}', '{}' from generate_series(1, 10) n on conflict do nothing`,
    );
    for (let failure = 0; failure < failuresPerAddress; failure++) {
      expect((await attempt('a guess', { clientId: `many-${1 + (failure % 10)}` })).status).toBe(
        401,
      );
    }
    expect((await attempt(demoSyncSecret)).status).toBe(429);
  });

  it('are what counts: right ones never do', async () => {
    const right = await statuses(
      Array.from({ length: 3 * failuresPerApp }, () => attempt(demoSyncSecret)),
    );
    expect([...new Set(right)]).toEqual([400]);
    expect(await app.db.query('select from sign_in_attempts')).toEqual([]);
  });
});
