/**
 * How often an app's secret may be tried in vain: counted in PostgreSQL, for all processes together. Codes and refresh tokens have no limit of their own:
 * they are 256 random bits that nobody guesses, and one app's server brings those of all its people from one address.
 */
import Provider, { errors } from 'oidc-provider';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../../database/connection.js';
import { keyOf, limiterOf } from '../people/limits.js';

/** Wrong secrets in a minute. By app and address, so that nobody locks an app out from elsewhere. */
export const failuresPerApp = 20;
/** Whatever app they name. */
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
   * Counts the failures of a check, and makes none when there were too many: a right guess must not stand out among them. Checks that are under way at
   * once don't see each other; counted before they are made, the busiest apps would be refused for their right ones.
   * @throws {errors.OIDCProviderError} with status 429, and `Retry-After` at the response.
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
  const error = new errors.CustomOIDCProviderError('temporarily_unavailable', 'there were too many wrong client secrets: see Retry-After');
  error.status = error.statusCode = 429;
  return error;
}
