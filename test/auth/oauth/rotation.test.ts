import { setTimeout as sleep } from 'node:timers/promises';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { rotateKeys } from '../../../src/auth/key-store.js';
import { pollInterval } from '../../../src/auth/keys.js';
import { nobody } from '../../support/changes.js';
import { Browser } from './browser.js';
import { climber, meStatus, startOAuthApp, ThirdParty } from './client.js';
import { startProcess } from './processes.js';

const app = await startOAuthApp();
const other = await startProcess(app);
const reader = ThirdParty.reader(app.base);

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? '';
const kids = async () =>
  (await (await fetch(`${reader.issuer}/jwks`)).json()).keys.map(
    ({ kid }: { kid: string }) => kid,
  ) as string[];

test('keys rotate under load, on two processes, without a failed request', async () => {
  const before = await reader.signIn(climber);
  const browser = new Browser(app.base);
  await reader.authorize(browser, climber);
  const jwks = createRemoteJWKSet(new URL(`${reader.issuer}/jwks`), { cooldownDuration: 1000 });
  const statuses = new Map<string, number>();
  const signedBy = new Map<string, number>();
  const note = (what: string, status: number) =>
    void statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);

  const overlap = pollInterval + 2;
  let isOver = false;
  async function load(): Promise<void> {
    let refreshToken = (await reader.signIn(climber)).refresh_token;
    while (!isOver) {
      const { status, body } = await reader.refresh(refreshToken);
      note('refresh', status);
      refreshToken = body.refresh_token;
      note('me', await meStatus(app.base, body.access_token));
      note(
        'me elsewhere',
        (await other.fetch('/v1/me', { headers: { authorization: `Bearer ${body.access_token}` } }))
          .status,
      );
      note('old token', await meStatus(app.base, before.access_token));
      const { protectedHeader } = await jwtVerify(body.id_token, jwks, {
        issuer: reader.issuer,
        audience: 'demo-reader',
      });
      signedBy.set(protectedHeader.kid ?? '', (signedBy.get(protectedHeader.kid ?? '') ?? 0) + 1);
      await sleep(100);
    }
  }
  const loads = [load(), load()];
  await sleep(300);
  await rotateKeys(app.db, app.config, nobody, overlap);
  await sleep(pollInterval * 1000 + 500);
  // Both the old and the new keys are published before the new ones sign.
  expect(await kids()).toHaveLength(4);
  expect([...signedBy.keys()]).toStrictEqual([kidOf(before.id_token ?? '')]);
  await sleep((overlap + 1) * 1000);
  isOver = true;
  await Promise.all(loads);

  expect([...statuses.keys()].sort()).toEqual([
    'me 200',
    'me elsewhere 200',
    'old token 200',
    'refresh 200',
  ]);
  expect(signedBy.size).toBe(2); // the old key signed first, then the new one
  const after = await reader.signIn(climber);
  for (const token of ['access_token', 'id_token'] as const)
    expect(kidOf(after[token] ?? '')).not.toBe(kidOf(before[token] ?? ''));
  expect(
    (await browser.get(await reader.request('v'.repeat(43)))).url.searchParams.get('code'),
  ).toBeTruthy(); // cookies signed with the old key still count

  await app.db.query(`update signing_keys set retires_at = now() where retires_at is not null`);
  await sleep(pollInterval * 1000 + 500);
  // What a dropped key signed is worth nothing.
  expect(await meStatus(app.base, before.access_token)).toBe(401);
  expect(await meStatus(app.base, after.access_token)).toBe(200);
  expect(await kids()).not.toContain(kidOf(before.access_token));
}, 60_000);
