/**
 * What clients of OAuth find out from the API itself: its metadata (RFC 9728) and its challenges
 * (RFC 6750).
 */
import { SignJWT } from 'jose';
import { apiScopes } from '../../src/auth/scopes.js';
import { send, startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { forgeries } from '../support/forge.js';
import { managerEmail } from '../support/names.js';

const app = await startApp();
const { BASE_URL: base } = app.config;
const path = '/.well-known/oauth-protected-resource';

describe('The metadata', () => {
  for (const each of [path, `${path}/v1`]) {
    test(`GET ${each}`, async () => {
      const response = await fetch(app.base + each, { headers: { origin: 'https://app.example' } });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type') ?? '').toMatch(/^application\/json/);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toStrictEqual({
        resource: `${base}/v1`,
        resource_name: 'Lanyard',
        authorization_servers: [`${base}/auth/v1/oauth`],
        bearer_methods_supported: ['header'],
        scopes_supported: apiScopes,
        resource_documentation: `${base}/docs`,
      });
    });
  }

  test('leads to an authorization server that is there, and documentation', async () => {
    for (const address of ['/.well-known/oauth-authorization-server/auth/v1/oauth', '/docs']) {
      expect([
        address,
        (await send(app.base, 'GET', address, { headers: { host: new URL(base).host } })).status,
      ]).toStrictEqual([address, 200]);
    }
  });

  test('405 for other methods, 404 for other resources', async () => {
    expect((await fetch(app.base + path, { method: 'POST' })).status).toBe(405);
    expect((await fetch(`${app.base}${path}/v2`)).status).toBe(404);
  });
});

const plain = `Bearer realm="Lanyard", resource_metadata="${base}${path}/v1"`;
/** The challenges of REST, of GraphQL and of the stream, which must be one; and the message. */
async function challenges(
  authorization?: string,
): Promise<{ challenge: string | null; message: string }> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const body = JSON.stringify({ query: '{ me { user { id } } }' });
  const answers = [
    await fetch(`${app.base}/v1/me`, { headers }),
    await fetch(`${app.base}/graphql`, { method: 'POST', headers, body }),
    await fetch(`${app.base}/graphql/stream`, { method: 'POST', headers, body }),
  ];
  const bodies = (await Promise.all(answers.map((each) => each.json()))) as {
    error?: { message: string };
    errors?: { message: string }[];
  }[];
  const found = new Set(
    answers.map((each) => `${each.status} ${each.headers.get('www-authenticate')}`),
  );
  expect([[...found].join('\n'), found.size]).toStrictEqual([expect.any(String), 1]);
  expect(answers[0]?.status).toBe(401);
  const [message, ...others] = bodies.map(
    ({ error, errors }) => error?.message ?? errors?.[0]?.message ?? '',
  );
  for (const other of others) expect(other).toBe(message);
  return { challenge: answers[0]?.headers.get('www-authenticate') ?? null, message: message ?? '' };
}

describe('The challenge', () => {
  test('has no error without a token, or with another scheme', async () => {
    for (const authorization of [
      undefined,
      'Basic YTpi',
      'Bearer',
      'Bearer ',
      'DPoP abc',
      'bearerabc',
    ]) {
      expect([String(authorization), (await challenges(authorization)).challenge]).toStrictEqual([
        expect.any(String),
        plain,
      ]);
    }
  });

  test('says what is wrong with a token', async () => {
    const { 'that has expired': expired, 'of a grant that was ended': ended } = await forgeries(
      app,
      managerEmail,
    );
    for (const token of ['abc', 'a b', '"', '\\', expired, ended]) {
      const { challenge, message } = await challenges(`Bearer ${token}`);
      const shown = message.replaceAll('"', "'");
      expect(challenge).toBe(
        plain.replace(
          ', resource',
          `, error="invalid_token", error_description="${shown}", resource`,
        ),
      );
    }
    expect((await challenges(`Bearer ${expired}`)).message).toMatch(/has expired/);
  });

  test('says which issuer and audience were expected, and nothing of those in the token', async () => {
    const { 'for another audience': audience, 'of another issuer': issuer } = await forgeries(
      app,
      managerEmail,
    );
    const strange = (claims: object) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', kid: 'x' })
        .sign(Buffer.alloc(32));
    const hostile = 'https://evil.example/"\r\nX-Evil: <script>';
    const expected = `: ${base}/v1 was expected.`;
    for (const [token, says] of [
      [audience, expected],
      [await strange({ iss: `${base}/auth/v1/oauth`, aud: hostile }), expected],
      [await strange({ iss: `${base}/auth/v1/oauth`, aud: [hostile, 'dashboard'] }), expected],
      [issuer, `: ${base}/auth/v1/oauth was expected.`],
      [await strange({ iss: hostile, aud: hostile }), `: ${base}/auth/v1/oauth was expected.`],
    ] as const) {
      const { challenge, message } = await challenges(`Bearer ${token}`);
      ensure(message.endsWith(says), message);
      expect(`${challenge} ${message}`).not.toMatch(/evil|other\.example/);
    }
  });
});
