/**
 * Access tokens that are wrong in one thing each, and right in all else: signed by the server's own
 * key.
 */
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose';
import { KeyRing } from '../../src/auth/keys.js';
import type { TestApp } from './app.js';

type Sign = (
  claims: JWTPayload,
  header?: object,
  purpose?: Parameters<KeyRing['signer']>[0],
) => Promise<string>;

/** Signs a valid token of the person anew, with other claims. */
async function signer(app: TestApp, email: string): Promise<Sign> {
  const token = await app.token(email);
  const keys = new KeyRing(app.db, app.config);
  await keys.reload();
  return (claims, header = {}, purpose = 'access_token') => {
    const { privateKey, algorithm, kid } = keys.signer(purpose);
    const protectedHeader = { ...decodeProtectedHeader(token), alg: algorithm, kid, ...header };
    return new SignJWT({ ...decodeJwt(token), ...claims })
      .setProtectedHeader(protectedHeader)
      .sign(privateKey);
  };
}

/** A good token that ends in one to two seconds. */
export async function shortLived(app: TestApp, email: string): Promise<string> {
  const sign = await signer(app, email);
  return sign({ exp: Math.floor(Date.now() / 1000) + 2 });
}

/** By what is wrong. */
export async function forgeries(app: TestApp, email: string): Promise<Record<string, string>> {
  const token = await app.token(email);
  const sign = await signer(app, email);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const other = Buffer.from(
    JSON.stringify({ ...decodeJwt(token), sub: '00000000-0000-4000-8000-000000000000' }),
  ).toString('base64url');
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString(
    'base64url',
  );
  const past = Math.floor(Date.now() / 1000) - 1;
  return {
    'with other claims under its signature': [header, other, signature].join('.'),
    'without a signature': `${unsigned}.${payload}.`,
    'that has expired': await sign({ iat: past - 600, exp: past }),
    'for another audience': await sign({ aud: 'https://other.example/v1' }),
    'of another issuer': await sign({ iss: 'https://other.example' }),
    'of another type': await sign({}, { typ: 'JWT' }),
    'signed by the key of ID tokens': await sign({}, {}, 'id_token'),
    'of a grant that was ended': await sign({ grant_id: 'no-such-grant' }),
    'that is no JWT': 'abc',
  };
}
