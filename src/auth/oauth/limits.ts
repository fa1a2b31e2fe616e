/**
 * Limits failed authentications of an app, counted in PostgreSQL for all processes together. Codes
 * and refresh tokens have no limit of their own: they are 256 random bits, and an app's server
 * sends those of all its users from one address.
 */
import { isIPv6 } from 'node:net';
import Provider, { errors } from 'oidc-provider';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { createLimiter, type Limiter, RateLimited } from '../../http/rate-limit.js';
import { keyOf, limiterOf } from '../accounts/limits.js';

/**
 * Wrong secrets per minute, by app and address, so that a stranger cannot lock an app out from
 * elsewhere.
 */
export const failuresPerApp = 20;
/** Wrong secrets per minute and address, for all apps together. */
export const failuresPerAddress = 100;
const seconds = 60;

export class SecretLimiter {
  private readonly apps: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;

  constructor(db: Database) {
    this.apps = limiterOf(db, 'app', failuresPerApp, seconds);
    this.addresses = limiterOf(db, 'app-address', failuresPerAddress, seconds);
  }

  /**
   * Counts failed checks, and skips the check when there were too many, so that a correct guess is
   * not distinguishable. Concurrent checks do not see each other: counting before the check would
   * refuse the correct secrets of the busiest apps.
   * @throws {errors.OIDCProviderError} with status 429 and `Retry-After`.
   */
  async guard(clientId: string, check: () => Promise<boolean>): Promise<boolean> {
    const address = Provider.ctx?.ip ?? '';
    const keys = [
      [this.apps, keyOf(`${clientId} ${address}`)],
      [this.addresses, address],
    ] as const;
    for (const [limiter, key] of keys) {
      const spent = await limiter.get(key);
      if (spent && spent.consumedPoints >= limiter.points) throw tooMany(spent.msBeforeNext);
    }
    const isRight = await check();
    if (!isRight) for (const [limiter, key] of keys) await limiter.penalty(key);
    return isRight;
  }
}

function tooMany(wait: number): errors.OIDCProviderError {
  Provider.ctx?.set('Retry-After', String(Math.ceil(wait / 1000)));
  const error = new errors.CustomOIDCProviderError(
    'temporarily_unavailable',
    'too many wrong client secrets: see Retry-After',
  );
  error.status = error.statusCode = 429;
  return error;
}

/**
 * Maximum number of sign-ins that a network may begin per minute. Each stores a row until it
 * expires, without authentication.
 */
export const beginningsPerNetwork = 60;
/** Maximum length of the query of an authorization request, which is stored with the sign-in. */
export const maxAuthorizeQuery = 4096;

/** Rate limit of the authorization endpoint. Counted like the API's rate, and disabled with it. */
export class AuthorizeLimiter {
  private constructor(
    private readonly requests: Limiter,
    private readonly beginnings: Limiter,
  ) {}

  static async create({
    RATE_LIMIT_PER_MINUTE: perMinute,
    REDIS_URL,
  }: Config): Promise<AuthorizeLimiter> {
    return new AuthorizeLimiter(
      await createLimiter(perMinute, REDIS_URL),
      await createLimiter(Math.min(perMinute, beginningsPerNetwork), REDIS_URL),
    );
  }

  /** Counts a request before anything is looked up for it. @throws {ApiError} `rate_limited` */
  async countRequest(address: string): Promise<void> {
    await this.requests.count(`authorize ${networkOf(address)}`);
  }

  /**
   * Counts a sign-in before it is stored.
   * @throws {errors.OIDCProviderError} `temporarily_unavailable`, which is returned to the app.
   */
  async countBeginning(address: string): Promise<void> {
    try {
      await this.beginnings.count(`sign-in ${networkOf(address)}`);
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      throw new errors.CustomOIDCProviderError(
        'temporarily_unavailable',
        'too many sign-ins from this network: wait a minute',
      );
    }
  }

  async close(): Promise<void> {
    await this.requests.close();
    await this.beginnings.close();
  }
}

/** An IPv4 address, or the /64 network of an IPv6 address, which belongs to one subscriber. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail?.split(':').filter(Boolean) ?? [];
  const groups = [
    ...before,
    ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'),
    ...after,
  ];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
