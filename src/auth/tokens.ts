/** Issues access tokens outside of the OAuth endpoints, for demo and development. */
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { sql } from '../database/entity-manager.js';
import { App, Grant } from '../entities/app.js';
import { ApiError } from '../errors.js';
import { findUserByName } from './accounts/link-statements.js';
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
  const { em } = db;
  const [user, app] = [await findUserByName(em, email), await em.findOne(App, { clientId })];
  if (!user || !app)
    throw new ApiError('not_found', `There is no user ${email}, or no app ${clientId}.`);
  const expiresAt = sql`now() + interval '1 day'`;
  await em.insert(Grant, { id: grantId, appId: app.id, userId: user.id, expiresAt });
  const keys = new KeyRing(db, config);
  await keys.reload();
  const { privateKey, algorithm, kid } = keys.signer('access_token');
  return new SignJWT({ client_id: clientId, grant_id: grantId, scope })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
    .setIssuer(issuerOf(config))
    .setAudience(audienceOf(config))
    .setSubject(user.id)
    .setIssuedAt()
    .setExpirationTime(`${accessTokenLifetime}s`)
    .setJti(randomUUID())
    .sign(privateKey);
}
