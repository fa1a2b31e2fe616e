import type { AdapterPayload } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import { RevokedToken } from '../../entities/oauth.js';
import { ApiError } from '../../errors.js';
import type { Authenticator } from '../principal.js';
import { accessTokenLifetime } from '../tokens.js';
import { Store } from './store.js';

/**
 * Prefix of a JWT that is to be revoked or introspected: without it, oidc-provider refuses any JWT.
 */
export const jwtMark = 'jwt:';

/**
 * Access tokens are JWTs and are not stored: `find` verifies one as the API does, and `destroy`
 * records its revocation.
 */
export class AccessTokens extends Store {
  constructor(
    private readonly db: Database,
    private readonly authenticator: Authenticator,
  ) {
    super();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (!id.startsWith(jwtMark)) return undefined;
    try {
      const { sub, client_id, jti, exp, iat, scope, aud } = await this.authenticator.verifyLive(
        id.slice(jwtMark.length),
      );
      // Without the grant's id, because revoking one token must not end the sign-in.
      return {
        kind: 'AccessToken',
        accountId: sub,
        clientId: client_id,
        jti,
        exp,
        iat,
        scope,
        aud,
      };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthenticated') return undefined;
      throw error;
    }
  }

  override async destroy(jti: string): Promise<void> {
    const expiresAt = sql`now() + ${accessTokenLifetime} * interval '1 second'`;
    await this.db.em
      .createQueryBuilder(RevokedToken)
      .insert({ jti, expiresAt })
      .onConflict('jti')
      .ignore()
      .execute();
  }
}
