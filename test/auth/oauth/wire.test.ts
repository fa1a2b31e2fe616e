import { request } from 'node:http';
import * as oauth from 'oauth4webapi';
import { ensure } from '../../support/expect.js';
import { climber, insecure, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);
const prefix = '/auth/v1/oauth';
const call = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(app.base + path, { method, headers, redirect: 'manual' });

describe('discovery', () => {
  test('is the same at the issuer and at both aliases, and an OAuth client and an OpenID client find it', async () => {
    const issuer = new URL(reader.issuer);
    const found = [];
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      found.push(
        await oauth.processDiscoveryResponse(
          issuer,
          await oauth.discoveryRequest(issuer, { ...insecure, algorithm }),
        ),
      );
    }
    for (const path of [
      `/.well-known/openid-configuration${prefix}`,
      `${prefix}/.well-known/oauth-authorization-server`,
    ]) {
      const response = await call(path);
      expect(response.headers.get('cache-control')).toBe('public, max-age=300');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      found.push(await response.json());
    }
    for (const each of found) expect(each).toStrictEqual(found[0]);
    const {
      scopes_supported,
      code_challenge_methods_supported,
      token_endpoint_auth_methods_supported,
    } = found[0] ?? {};
    expect(scopes_supported).toEqual(['openid', 'profile', 'email']);
    expect(code_challenge_methods_supported).toEqual(['S256']);
    expect(token_endpoint_auth_methods_supported).toEqual([
      'none',
      'client_secret_basic',
      'client_secret_post',
    ]);
  });

  test('names addresses that are there', async () => {
    const {
      authorization_endpoint,
      token_endpoint,
      userinfo_endpoint,
      jwks_uri,
      revocation_endpoint,
      introspection_endpoint,
      end_session_endpoint,
    } = (await (await call(`${prefix}/.well-known/openid-configuration`)).json()) as Record<
      string,
      string
    >;
    const endpoints = {
      authorization_endpoint,
      token_endpoint,
      userinfo_endpoint,
      jwks_uri,
      revocation_endpoint,
      introspection_endpoint,
      end_session_endpoint,
    };
    for (const [name, url] of Object.entries(endpoints)) {
      ensure(url?.startsWith(`${reader.issuer}/`), name);
      const { status } = await fetch(url ?? '', {
        method: /token|revo|intro/.test(name) ? 'POST' : 'GET',
        redirect: 'manual',
      });
      ensure(status !== 404 && status < 500, `${name}: ${status}`);
    }
  });
});

describe('addresses', () => {
  for (const path of [
    '/token/',
    '/Token',
    '/TOKEN',
    '//token',
    '/authorize/',
    '/AUTHORIZE',
    '/authorize/a/b',
    '/jwks/',
    '/',
    '/interaction/x',
    '/reg',
    '/me',
    '/__proto__',
  ]) {
    test(`${path} is not there`, async () => {
      for (const method of ['GET', 'POST']) {
        const response = await call(prefix + path, method, { accept: 'text/html' });
        expect(response.status).toBe(404);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(Object.keys((await response.json()) as object)).toEqual([
          'error',
          'error_description',
        ]);
      }
    });
  }

  test('405 with Allow for another method', async () => {
    for (const [path, method, allow] of [
      ['/token', 'GET', 'POST, OPTIONS'],
      ['/authorize', 'POST', 'GET, HEAD'],
      ['/jwks', 'DELETE', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await call(prefix + path, method);
      expect([response.status, response.headers.get('allow')]).toStrictEqual([405, allow]);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('421 for another host: addresses in answers are made from it', async () => {
    const status = await new Promise((resolve, reject) => {
      const { port } = new URL(app.base);
      request(
        {
          port,
          host: '127.0.0.1',
          path: `${prefix}/.well-known/openid-configuration`,
          headers: { host: 'evil.example' },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .once('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});

describe('requests from a page in a browser', () => {
  const own = new URL(reader.redirectUri).origin;
  const post = (
    origin: string,
    body = 'client_id=demo-reader&grant_type=refresh_token&refresh_token=x',
  ) =>
    fetch(`${reader.issuer}/token`, {
      method: 'POST',
      body,
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    });

  test('the preflight of /token, /revoke and /userinfo is answered', async () => {
    for (const [path, method] of [
      ['/token', 'POST'],
      ['/revoke', 'POST'],
      ['/userinfo', 'GET'],
    ] as const) {
      const response = await call(prefix + path, 'OPTIONS', {
        origin: own,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      });
      expect(response.status).toBe(204);
      expect([own, '*']).toContain(response.headers.get('access-control-allow-origin') ?? '');
      expect(response.headers.get('access-control-allow-methods') ?? '').toMatch(
        new RegExp(method),
      );
      expect(response.headers.get('access-control-allow-headers') ?? '').toMatch(/authorization/);
    }
  });

  test('/token answers to a page of the app, and to no other', async () => {
    expect((await post(own)).headers.get('access-control-allow-origin')).toBe(own);
    const foreign = await post('https://evil.example');
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([
      400,
      null,
    ]);
  });

  test('no cookie is ever taken along', async () => {
    expect((await post(own)).headers.get('access-control-allow-credentials')).toBeNull();
    const { access_token } = await reader.signIn(climber);
    const info = await call(`${prefix}/userinfo`, 'GET', {
      origin: own,
      authorization: `Bearer ${access_token}`,
    });
    expect(info.headers.get('access-control-allow-credentials')).toBeNull();
  });
});
