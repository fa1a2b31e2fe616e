import * as oauth from 'oauth4webapi';
import { ensure } from '../../support/expect.js';
import { Browser } from './browser.js';
import { climber, meStatus, signIn, startOAuthApp, ThirdParty } from './client.js';
import { ownProcess, type Process, startProcess } from './processes.js';

const app = await startOAuthApp();
const processes = [ownProcess(app), await startProcess(app)];
const reader = ThirdParty.reader(app.base);

interface Outcome {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever came back
  readonly body: any;
}

async function token({ fetch }: Process, fields: Record<string, string>): Promise<Outcome> {
  const response = await fetch('/auth/v1/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'demo-reader', ...fields }),
  });
  return { status: response.status, body: await response.json() };
}

/** The same token request eight times at once, on two processes by turns. */
const eightTimes = (fields: Record<string, string>): Promise<Outcome[]> =>
  Promise.all(
    Array.from({ length: 8 }, (_, index) => token(processes[index % 2] as Process, fields)),
  );

/**
 * At most one may win, and as somebody else had the same code or token, what the winner got is
 * dead.
 */
async function assertDead(outcomes: Outcome[]): Promise<void> {
  const won = outcomes.filter(({ status }) => status === 200);
  ensure(won.length <= 1, `${won.length} succeeded`);
  for (const { status, body } of outcomes)
    if (status !== 200) expect([status, body.error]).toEqual([400, 'invalid_grant']);
  for (const { body } of won) {
    expect(await meStatus(app.base, body.access_token)).toBe(401);
    expect((await reader.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  }
}

for (let round = 1; round <= 5; round++) {
  test(`8 redemptions of one code at once, on two processes: at most one 200, and the sign-in is dead (${round})`, async () => {
    const { code, verifier } = await reader.authorize(new Browser(app.base), climber);
    await assertDead(
      await eightTimes({
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: reader.redirectUri,
      }),
    );
  });

  test(`8 refreshes with one token at once, on two processes: at most one 200, and the sign-in is dead (${round})`, async () => {
    const other = await reader.signIn(climber);
    const { refresh_token, access_token } = await reader.signIn(climber);
    await assertDead(await eightTimes({ grant_type: 'refresh_token', refresh_token }));
    expect(await meStatus(app.base, access_token)).toBe(401);
    expect(await meStatus(app.base, other.access_token)).toBe(200);
  });
}

test('every step of a sign-in may be served by another process', async () => {
  const got = await reader.authorize(new Browser(app.base), climber);
  const [one, two] = processes as [Process, Process];
  const fields = {
    grant_type: 'authorization_code',
    code: got.code,
    code_verifier: got.verifier,
    redirect_uri: reader.redirectUri,
  };
  const { body: first } = await token(one, fields);
  const { body: second } = await token(two, {
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token,
  });
  const me = await one.fetch('/v1/me', {
    headers: { authorization: `Bearer ${second.access_token}` },
  });
  expect(me.status).toBe(200);
  await two.fetch('/auth/v1/oauth/revoke', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'demo-reader', token: second.access_token }),
  });
  expect(
    (await one.fetch('/v1/me', { headers: { authorization: `Bearer ${second.access_token}` } }))
      .status,
  ).toBe(401);
});

test('one consent gives one code, however often the browser sends it at once', async () => {
  for (let round = 1; round <= 5; round++) {
    const browser = new Browser(app.base);
    const verifier = oauth.generateRandomCodeVerifier();
    const asked = await browser.get(await reader.request(verifier, { prompt: 'consent' }));
    const atConsent = await signIn(browser, asked, climber);
    const ends = await Promise.all(
      Array.from({ length: 8 }, () => browser.submit(atConsent, '/allow')),
    );
    const codes = ends.filter(({ url }) => url.searchParams.has('code'));
    ensure(codes.length === 1, `${codes.length} codes in round ${round}`);
  }
});
