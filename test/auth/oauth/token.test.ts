import { decodeProtectedHeader, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import { rotateSecret } from '../../../src/auth/apps/secrets.js';
import { Browser } from './browser.js';
import {
  type Answer,
  basic,
  climber,
  insecure,
  meStatus,
  postForm,
  startOAuthApp,
  ThirdParty,
} from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);
const sync = ThirdParty.sync(app.base);
const url = `${reader.issuer}/token`;
const authorize = (party = reader) => party.authorize(new Browser(app.base), climber);

function assertError(answer: Answer, status: number, error: string): void {
  expect([answer.status, answer.body.error]).toStrictEqual([status, error]);
  expect(typeof answer.body.error_description).toBe('string');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type') ?? '').toMatch(/^application\/json/);
}

describe('POST /token, grant_type=authorization_code', () => {
  test('200: what a strict client expects', async () => {
    const as = await reader.discover();
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const browser = new Browser(app.base);
    const { callback } = await reader.authorize(browser, climber);
    expect(callback.get('code')).toBeTruthy();
    const visit = await browser.get(await reader.request(verifier, { nonce }));
    const parameters = oauth.validateAuthResponse(
      as,
      reader.client,
      visit.url,
      oauth.expectNoState,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      reader.client,
      oauth.None(),
      parameters,
      reader.redirectUri,
      verifier,
      insecure,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    const issued = await oauth.processAuthorizationCodeResponse(as, reader.client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    expect(issued.token_type).toBe('bearer');
    expect(issued.expires_in).toBe(600);
    expect(issued.scope).toBe('openid profile email');
    expect(issued.refresh_token).toBeTruthy();

    const keys = oauth.getValidatedIdTokenClaims(issued);
    expect(keys?.email).toBe(climber);
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    expect(decodeProtectedHeader(issued.id_token ?? '').alg).toBe('RS256');

    const info = await oauth.userInfoRequest(as, reader.client, issued.access_token, insecure);
    const about = await oauth.processUserInfoResponse(as, reader.client, keys?.sub ?? '', info);
    expect(about).toStrictEqual({
      sub: keys?.sub,
      name: keys?.name,
      email: climber,
      email_verified: true,
    });
  });

  test('the access token is a JWT of RFC 9068', async () => {
    const { access_token } = await reader.signIn(climber);
    const { keys } = await (await fetch(`${reader.issuer}/jwks`)).json();
    const { alg, typ, kid } = decodeProtectedHeader(access_token);
    expect({ alg, typ }).toStrictEqual({ alg: 'ES256', typ: 'at+jwt' });
    const key = keys.find((each: { kid: string }) => each.kid === kid);
    const { payload } = await jwtVerify(access_token, key, {
      issuer: reader.issuer,
      audience: `${app.base}/v1`,
      typ: 'at+jwt',
    });
    expect(Object.keys(payload).sort()).toEqual([
      'aud',
      'client_id',
      'exp',
      'grant_id',
      'iat',
      'iss',
      'jti',
      'scope',
      'sub',
    ]);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
  });

  test('the JWKS shows no private part', async () => {
    const { keys } = await (await fetch(`${reader.issuer}/jwks`)).json();
    expect(keys.map(({ alg }: { alg: string }) => alg).sort()).toEqual(['ES256', 'RS256']);
    for (const key of keys)
      for (const part of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(part in key).toBe(false);
  });

  test('a confidential app by Basic, and one by client_secret_post', async () => {
    expect((await sync.redeem(await authorize(sync))).status).toBe(200);
    await app.db.query(
      `update apps set token_endpoint_auth_method = 'client_secret_post' where client_id = 'demo-sync'`,
    );
    const got = await authorize(sync);
    const form = {
      grant_type: 'authorization_code',
      code: got.code,
      code_verifier: got.verifier,
      redirect_uri: sync.redirectUri,
    };
    expect(
      (await postForm(url, { ...form, client_id: 'demo-sync', client_secret: sync.secret ?? '' }))
        .status,
    ).toBe(200);
    await app.db.query(
      `update apps set token_endpoint_auth_method = 'client_secret_basic' where client_id = 'demo-sync'`,
    );
  });

  for (const [what, change] of [
    ['a wrong verifier', { code_verifier: oauth.generateRandomCodeVerifier() }],
    ['a short verifier', { code_verifier: 'short' }],
    ['a verifier with wrong characters', { code_verifier: '!'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: `${reader.redirectUri}/` }],
    ['an unknown code', { code: 'unknown' }],
  ] as const) {
    test(`${what}: invalid_grant`, async () =>
      assertError(await reader.redeem(await authorize(), change), 400, 'invalid_grant'));
  }

  test('an expired code: invalid_grant', async () => {
    const got = await authorize();
    await app.db.query(
      `update oauth_artefacts set payload = payload || '{"exp": 1}' where model = 'AuthorizationCode' and consumed_at is null`,
    );
    assertError(await reader.redeem(got), 400, 'invalid_grant');
  });

  test("another app's code: invalid_grant", async () => {
    const got = await authorize();
    const thief = new ThirdParty(app.base, 'demo-dashboard');
    assertError(await thief.redeem(got), 400, 'invalid_grant');
    expect((await reader.redeem(got)).status).toBe(200);
  });

  test('a code lives for 60 seconds, and is kept as a hash', async () => {
    const { code } = await authorize();
    const rows = await app.db.query<{ row: string; ttl: number }>(
      `select a::text as row, extract(epoch from expires_at - now())::int as ttl from oauth_artefacts a where model = 'AuthorizationCode' and consumed_at is null`,
    );
    expect(rows.some(({ ttl }) => ttl > 50 && ttl <= 60)).toBe(true);
    const everything = await app.db.query<{ row: string }>(
      `select a::text as row from oauth_artefacts a`,
    );
    expect(everything.every(({ row }) => !row.includes(code))).toBe(true);
  });

  for (const [when, wait] of [
    ['at once', ''],
    [
      'long after',
      `update oauth_artefacts set expires_at = now() - interval '1 hour', payload = payload || '{"exp": 1}' where model = 'AuthorizationCode'`,
    ],
  ] as const) {
    test(`a code twice, ${when}: invalid_grant, and what the first gave is dead`, async () => {
      const got = await authorize();
      const { body: issued } = await reader.redeem(got);
      expect(await meStatus(app.base, issued.access_token)).toBe(200);
      if (wait) await app.db.query(wait);
      assertError(await reader.redeem(got), 400, 'invalid_grant');
      expect(await meStatus(app.base, issued.access_token)).toBe(401);
      assertError(await reader.refresh(issued.refresh_token), 400, 'invalid_grant');
    });
  }

  test('a code twice ends no other sign-in, not even one in the same browser', async () => {
    const browser = new Browser(app.base);
    const { body: other } = await reader.redeem(await reader.authorize(browser, climber));
    const got = await reader.authorize(browser, climber);
    await reader.redeem(got);
    assertError(await reader.redeem(got), 400, 'invalid_grant');
    expect(await meStatus(app.base, other.access_token)).toBe(200);
    expect((await reader.refresh(other.refresh_token)).status).toBe(200);
  });
});

describe('POST /token, whoever asks', () => {
  const fields = {
    grant_type: 'authorization_code',
    code: 'c',
    code_verifier: 'v'.repeat(43),
    redirect_uri: reader.redirectUri,
  };

  test('401: a wrong secret, with WWW-Authenticate', async () => {
    const answer = await postForm(url, fields, { authorization: basic('demo-sync', 'wrong') });
    assertError(answer, 401, 'invalid_client');
    expect(answer.headers.get('www-authenticate') ?? '').toMatch(/^Basic realm=/);
  });

  test('a rotated secret works as long as the overlap says, and the new one at once', async () => {
    const [{ id } = { id: '' }] = await app.db.query<{ id: string }>(
      `select id from apps where client_id = 'demo-sync'`,
    );
    const works = async (secret = '') =>
      (await postForm(url, fields, { authorization: basic('demo-sync', secret) })).body.error ===
      'invalid_grant';
    const operator = { userId: null, appId: null, requestId: null };
    const second = await rotateSecret(app.db, operator, id, 1);
    expect([await works(sync.secret), await works(second)]).toEqual([true, true]);
    const third = await rotateSecret(app.db, operator, id, 0);
    expect([await works(sync.secret), await works(second), await works(third)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('401: a public app that sends a secret', async () => {
    assertError(
      await postForm(url, { ...fields, client_id: 'demo-reader', client_secret: 'secret' }),
      401,
      'invalid_client',
    );
    assertError(
      await postForm(url, fields, { authorization: basic('demo-reader', 'secret') }),
      401,
      'invalid_client',
    );
  });

  test('401: a confidential app without its secret, and an unknown app', async () => {
    assertError(await postForm(url, { ...fields, client_id: 'demo-sync' }), 401, 'invalid_client');
    assertError(await postForm(url, { ...fields, client_id: 'nobody' }), 401, 'invalid_client');
  });

  test('400: JSON, a repeated parameter, no grant type, another grant type, no body', async () => {
    const json = await postForm(url, JSON.stringify({ ...fields, client_id: 'demo-reader' }), {
      'content-type': 'application/json',
    });
    assertError(json, 400, 'invalid_request');
    const form = new URLSearchParams({ ...fields, client_id: 'demo-reader' });
    assertError(await postForm(url, `${form}&code=d`), 400, 'invalid_request');
    assertError(await postForm(url, { client_id: 'demo-reader' }), 400, 'invalid_request');
    assertError(
      await postForm(url, { ...fields, client_id: 'demo-reader', grant_type: 'password' }),
      400,
      'unsupported_grant_type',
    );
    assertError(
      await postForm(url, {
        ...fields,
        client_id: 'demo-reader',
        grant_type: 'client_credentials',
      }),
      400,
      'unsupported_grant_type',
    );
    assertError(await postForm(url, ''), 400, 'invalid_request');
  });

  test('413: a body that no token request has', async () => {
    assertError(
      await postForm(url, { ...fields, code: 'c'.repeat(70_000) }),
      413,
      'invalid_request',
    );
  });

  test('503: the database lets nobody in', async () => {
    await app.db.transaction(async (tx) => {
      await tx.query('lock table oauth_artefacts in access exclusive mode');
      assertError(
        await postForm(url, { ...fields, client_id: 'demo-reader' }),
        503,
        'server_error',
      );
    });
  });

  test('JSON also for browsers', async () => {
    assertError(
      await postForm(url, { ...fields, client_id: 'demo-reader' }, { accept: 'text/html' }),
      400,
      'invalid_grant',
    );
  });
});
