/** Issues access tokens outside of the OAuth endpoints, for demo and development. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import { KeyRing } from './keys.js';
import { audienceOf, issuerOf } from './principal.js';

/** Lifetime of an access token in seconds. */
export const accessTokenLifetime = 600;

/**
 * Creates a grant of the user to the app, and an access token (RFC 9068), as a sign-in would.
 * @throws {ApiError} `not_found` when the user or app does not exist.
 */
export async function issueToken(
  db: Database,
  config: Config,
  email: string,
  clientId: string,
  scope = 'profile email',
): Promise<string> {
  const grantId = randomUUID();
  const [grant] = await db.query<{ userId: string }>(
    `insert into grants (id, app_id, user_id, expires_at)
     select $1, a.id, u.id, now() + interval '1 day' from users u, apps a where lower(u.email) = lower($2) and a.client_id = $3
     returning user_id as "userId"`,
    [grantId, email, clientId],
  );
  if (!grant) throw new ApiError('not_found', `There is no user ${email}, or no app ${clientId}.`);
  const keys = new KeyRing(db, config);
  await keys.reload();
  const { privateKey, algorithm, kid } = keys.signer('access_token');
  return new SignJWT({ client_id: clientId, grant_id: grantId, scope })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
    .setIssuer(issuerOf(config))
    .setAudience(audienceOf(config))
    .setSubject(grant.userId)
    .setIssuedAt()
    .setExpirationTime(`${accessTokenLifetime}s`)
    .setJti(randomUUID())
    .sign(privateKey);
}
