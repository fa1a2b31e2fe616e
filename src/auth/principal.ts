/** Authentication: from a bearer token to its principal. */
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import type { KeyRing } from './keys.js';
import type { Principal } from './policy.js';
import {
  Authentication,
  type Caller,
  Callers,
  type Claims,
  type LookUp,
  type Token,
} from './principal-lookup.js';

export const issuerOf = (config: Config): string => `${config.BASE_URL}/auth/v1/oauth`;
export const audienceOf = (config: Config): string => `${config.BASE_URL}/v1`;

export class Authenticator {
  /** Tokens with a verified signature. */
  private readonly tokens = new LRUCache<string, Token>({ max: 5000 });
  private readonly callers: Callers;

  constructor(
    private readonly config: Config,
    private readonly keys: KeyRing,
    db: Database,
  ) {
    this.callers = new Callers(db);
    // Signatures of a removed key are no longer valid.
    keys.onChange(() => this.tokens.clear());
  }

  /**
   * @throws {ApiError} `unauthenticated` when the token, or anything that it depends on, is not
   * valid now.
   */
  async authenticate(token: Token): Promise<Principal> {
    return (await foundIn(await this.callers.ask(token), token)).principal;
  }

  /**
   * Begins optimistic authentication: with the cached principal of the token, if any; otherwise,
   * and if `isAgain`, with the one that is looked up.
   * @throws {ApiError} Like {@link authenticate}.
   */
  async begin(token: Token, isAgain: boolean): Promise<Authentication> {
    if (token.caller && !isAgain) return new Authentication(this.callers, token, token.caller);
    const lookUp = await this.callers.ask(token);
    return new Authentication(this.callers, token, await foundIn(lookUp, token), lookUp);
  }

  /** Whether the header has a token that was valid at its last look-up. */
  knows(authorization: string | undefined): boolean {
    const token = this.tokens.get(textOf(authorization) ?? '');
    return token?.caller !== undefined && !isExpired(token);
  }

  /**
   * Returns the claims of an access token that is valid now.
   * @throws {ApiError} Like {@link authenticate}.
   */
  async verifyLive(text: string): Promise<Claims> {
    const token = await this.verified(text);
    await this.authenticate(token);
    return token.claims;
  }

  /**
   * Verifies signature and lifetime of the request's token, without PostgreSQL.
   * @param authorization The Authorization header, or undefined if there is none.
   * @throws {ApiError} `unauthenticated` when the token is not valid.
   */
  async tokenOf(authorization: string | undefined): Promise<Token> {
    const text = textOf(authorization);
    if (!text) throw new ApiError('unauthenticated');
    return this.verified(text);
  }

  private async verified(text: string): Promise<Token> {
    let token = this.tokens.get(text);
    if (!token) {
      const claims = await this.verifySignature(text);
      token = { claims, key: `${claims.client_id} ${claims.sub}`, caller: undefined };
      this.tokens.set(text, token);
    }
    if (isExpired(token)) throw expired();
    return token;
  }

  private async verifySignature(token: string): Promise<Claims> {
    const key = await this.keys.find(keyIdOf(token), 'access_token');
    if (!key) throw refused(this.config, token);
    const options = {
      algorithms: [key.algorithm],
      typ: 'at+jwt',
      issuer: issuerOf(this.config),
      audience: audienceOf(this.config),
      requiredClaims: ['sub', 'client_id', 'grant_id', 'scope', 'jti', 'iat', 'exp'],
    };
    return jwtVerify<Claims>(token, key.publicKey, options).then(
      ({ payload }) => payload,
      (error) => {
        throw refused(this.config, token, error);
      },
    );
  }
}

/** @throws {ApiError} `unauthenticated` when the token has no principal any more. */
async function foundIn({ found }: LookUp, token: Token): Promise<Caller> {
  const caller = (await found).get(token);
  if (!caller)
    throw new ApiError(
      'unauthenticated',
      'The access token was revoked, or its app or user was disabled: sign in again.',
    );
  return caller;
}

/** The token of an Authorization header. */
const textOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization ?? '')?.[1];

const isExpired = ({ claims }: Token): boolean => claims.exp * 1000 <= Date.now();

const expired = () => new ApiError('unauthenticated', 'The access token has expired: refresh it.');

/**
 * The error for a refused token. It depends on the unverified claims, so its message quotes none of
 * them.
 */
function refused(config: Config, token: string, error?: unknown): ApiError {
  if (error instanceof errors.JWTExpired) return expired();
  const { iss, aud } = claimsOf(token);
  const [issuer, audience] = [issuerOf(config), audienceOf(config)];
  if (iss !== undefined && iss !== issuer) {
    return new ApiError(
      'unauthenticated',
      `The access token is from another issuer: ${issuer} was expected.`,
    );
  }
  if (aud !== undefined && ![aud].flat().includes(audience)) {
    return new ApiError(
      'unauthenticated',
      `The access token is for another audience: ${audience} was expected.`,
    );
  }
  return new ApiError(
    'unauthenticated',
    'The access token is malformed, or was not issued by this service.',
  );
}

/** The claims of a token, unverified. */
function claimsOf(token: string): { readonly iss?: unknown; readonly aud?: unknown } {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** The key id of a token, or '' when it is not a JWT or has none. */
function keyIdOf(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    return '';
  }
}
