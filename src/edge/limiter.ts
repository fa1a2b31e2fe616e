/** How many requests a caller may make in a minute: counted in the process, or in Redis for all processes at once. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.js';

const seconds = 60;

/** Milliseconds that Redis may be silent before its connection is given up: no request waits for a limit longer than that. */
const patience = 500;

export interface Limiter {
  /**
   * Counts one request of the caller.
   * @returns The fields `RateLimit` and `RateLimit-Policy` of the IETF draft (draft-ietf-httpapi-ratelimit-headers).
   * @throws {ApiError} `rate_limited` when the caller has none left.
   */
  count(caller: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** @param perMinute Requests a minute and caller; 0 counts nothing. */
export async function createLimiter(perMinute: number, redisUrl?: string): Promise<Limiter> {
  if (perMinute === 0) return { count: async () => ({}), close: async () => {} };
  const redis = redisUrl ? await connect(redisUrl) : undefined;
  const inProcess = new RateLimiterMemory({ points: perMinute, duration: seconds });
  // While Redis is away each process counts for itself: a limit is no reason to refuse everyone.
  const limiter = redis
    ? new RateLimiterRedis({ storeClient: redis, keyPrefix: 'lanyard', points: perMinute, duration: seconds, insuranceLimiter: inProcess })
    : inProcess;
  redis?.on('error', () => {});
  const fields = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    RateLimit: `"caller";r=${Math.max(remainingPoints, 0)};t=${Math.ceil(msBeforeNext / 1000)}`,
    'RateLimit-Policy': `"caller";q=${perMinute};w=${seconds}`,
  });
  return {
    async count(caller) {
      try {
        return fields(await limiter.consume(caller));
      } catch (spent) {
        if (!(spent instanceof RateLimiterRes)) throw spent;
        throw new RateLimited(fields(spent), spent.msBeforeNext / 1000);
      }
    },
    async close() {
      redis?.disconnect();
    },
  };
}

/** The client is loaded where it is used: most servers have no Redis. */
async function connect(url: string) {
  const { Redis } = await import('ioredis');
  return new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: patience, socketTimeout: patience });
}

/** Carries the limit's header fields to the response. */
export class RateLimited extends ApiError {
  constructor(
    readonly fields: Record<string, string>,
    retryAfter: number,
  ) {
    super('rate_limited', undefined, undefined, retryAfter);
  }
}
