/** The first wall, the token: from a bearer token to who is asking. */
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import { Callers, type Claims, type Token } from './callers.js';
import type { KeyRing } from './keys.js';
import type { Principal } from './policy.js';
import { Presumption } from './presumption.js';

export const issuerOf = (config: Config): string => `${config.BASE_URL}/auth/v1/oauth`;
export const audienceOf = (config: Config): string => `${config.BASE_URL}/v1`;

export class Authenticator {
  /** Tokens whose signature was verified. */
  private readonly verified = new LRUCache<string, Token>({ max: 5000 });
  private readonly callers: Callers;

  constructor(
    private readonly config: Config,
    private readonly keys: KeyRing,
    db: Database,
  ) {
    this.callers = new Callers(db);
    // What a key signed is worth nothing once the key is gone.
    keys.onChange(() => this.verified.clear());
  }

  /**
   * @param authorization The Authorization header, or undefined when there was none.
   * @throws {ApiError} `unauthenticated`, when the token or anything that it rests on is not valid now.
   */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    return this.find(await this.tokenOf(authorization));
  }

  /**
   * Whom the token stood for when it was last looked up.
   * @param db Counts the statements of the request.
   * @returns Undefined when it never was.
   * @throws {ApiError} `unauthenticated`, when it is no valid token.
   */
  async presume(authorization: string | undefined, db: Database): Promise<Presumption | undefined> {
    const token = await this.tokenOf(authorization);
    return token.caller && new Presumption(this.callers, token, token.caller, db);
  }

  /**
   * The claims of an access token that works at this moment.
   * @throws {ApiError} As {@link authenticate}.
   */
  async verifyLive(text: string): Promise<Claims> {
    const token = await this.verify(text);
    await this.find(token);
    return token.claims;
  }

  private async find(token: Token): Promise<Principal> {
    const { found } = await this.callers.ask(token);
    const caller = (await found).get(token);
    if (!caller) throw new ApiError('unauthenticated', 'The access token was revoked, or its app or user was disabled: sign in again.');
    return caller.principal;
  }

  private async tokenOf(authorization: string | undefined): Promise<Token> {
    const text = /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization ?? '')?.[1];
    if (!text) throw new ApiError('unauthenticated');
    return this.verify(text);
  }

  private async verify(text: string): Promise<Token> {
    let token = this.verified.get(text);
    if (!token) {
      token = { claims: await this.verifySignature(text), caller: undefined };
      this.verified.set(text, token);
    }
    if (token.claims.exp * 1000 <= Date.now()) throw new ApiError('unauthenticated', 'The access token has expired: refresh it.');
    return token;
  }

  private async verifySignature(token: string): Promise<Claims> {
    const malformed = new ApiError('unauthenticated', 'The access token is malformed, expired, or meant for another service.');
    const key = await this.keys.find(keyIdOf(token), 'access_token');
    if (!key) throw malformed;
    const options = {
      algorithms: [key.algorithm],
      typ: 'at+jwt',
      issuer: issuerOf(this.config),
      audience: audienceOf(this.config),
      requiredClaims: ['sub', 'client_id', 'grant_id', 'scope', 'jti', 'iat', 'exp'],
    };
    return jwtVerify<Claims>(token, key.publicKey, options).then(
      ({ payload }) => payload,
      () => {
        throw malformed;
      },
    );
  }
}

/** The key id that a token names, or '' when it isn't a JWT or names none. */
function keyIdOf(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    return '';
  }
}
