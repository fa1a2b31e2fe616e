/** What a stranger can make the authorization endpoint keep. */
import {
  beginningsPerNetwork,
  maxAuthorizeQuery,
  networkOf,
} from '../../../src/auth/oauth/limits.js';
import { purgeExpired } from '../../../src/auth/oauth/purge.js';
import { Browser } from '../../auth/oauth/browser.js';
import { climber, signIn, startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';

const perMinute = 150;
const app = await startOAuthApp({ TRUST_PROXY: 'true', RATE_LIMIT_PER_MINUTE: String(perMinute) });
const reader = ThirdParty.reader(app.base);

const kept = async (): Promise<number> => {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*)::int as count from oauth_artefacts where model = 'Interaction'`,
  );
  return row?.count ?? 0;
};

const ask = async (address: string, change: Record<string, string> = {}, accept = 'text/html') => {
  const url = await reader.request('v'.repeat(43), { state: 's', ...change });
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { accept, 'x-forwarded-for': address },
  });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    headers: response.headers,
    text: await response.text(),
  };
};

describe('a flood of authorization requests', () => {
  it(`from one network: ${beginningsPerNetwork} sign-ins a minute are kept, then the app is told, then a page says to wait`, async () => {
    const before = await kept();
    const statuses: number[] = [];
    for (let count = 0; count < perMinute; count++) {
      const { status, location } = await ask('203.0.113.1');
      statuses.push(status);
      const isKept = count < beginningsPerNetwork;
      expect(status).toBe(303);
      if (isKept) expect(location).toMatch(/\/portal\/interactions\//);
      else expect(new URL(location).searchParams.get('error')).toBe('temporarily_unavailable');
      if (!isKept) expect(new URL(location).searchParams.get('state')).toBe('s');
    }
    expect(await kept()).toBe(before + beginningsPerNetwork);
    const refused = await ask('203.0.113.1');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type') ?? '').toMatch(/html/);
    expect(refused.text).toMatch(/Too many attempts/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('203.0.113.1', {}, 'application/json')).status).toBe(429);
    expect((await ask('203.0.113.2')).status).toBe(303); // another network is not concerned
    expect(await kept()).toBe(before + beginningsPerNetwork + 1);
  });

  it('a person who is signed in needs none of these: the next sign-in keeps nothing', async () => {
    const browser = new Browser(app.base);
    await reader.authorize(browser, climber);
    const before = await kept();
    const end = await browser.get(await reader.request('v'.repeat(43)));
    expect(end.url.searchParams.get('code')).toBeTruthy();
    expect(await kept()).toBe(before);
  });

  it('IPv6: the addresses of a /64 are one network', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
  });

  it('each keeps little: longer parameters are refused, and nothing is kept', async () => {
    const before = await kept();
    const { status, text } = await ask('203.0.113.3', { state: 's'.repeat(maxAuthorizeQuery) });
    expect(status).toBe(400);
    expect(text).toMatch(new RegExp(`at most ${maxAuthorizeQuery}`));
    expect(await kept()).toBe(before);
  });

  it('what was begun and not finished goes as soon as it has expired', async () => {
    expect(await kept()).toBeGreaterThan(0);
    await app.db.query(
      `update oauth_artefacts set expires_at = now() - interval '1 second' where model = 'Interaction'`,
    );
    await purgeExpired(app.db);
    expect(await kept()).toBe(0);
  });

  it('a used code is kept a day longer, so that its second use still ends the sign-in', async () => {
    const browser = new Browser(app.base);
    const got = await reader.authorize(browser, climber);
    const { body } = await reader.redeem(got);
    await app.db.query(
      `update oauth_artefacts set expires_at = now() - interval '1 hour' where model = 'AuthorizationCode'`,
    );
    await purgeExpired(app.db);
    expect((await reader.redeem(got)).status).toBe(400);
    expect((await reader.refresh(body.refresh_token)).status).toBe(400);
    expect(await signIn(browser, await browser.get('/portal/sign-in'), climber)).toBeTruthy();
  });
});
