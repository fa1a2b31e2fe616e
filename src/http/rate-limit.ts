/**
 * The rate limit of callers: requests per minute, counted in the process, or in Redis for all
 * processes.
 */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.js';

const seconds = 60;

/**
 * Milliseconds after which a silent Redis connection is dropped: the maximum delay of a request by
 * the limiter.
 */
const redisTimeoutMs = 500;

export interface Limiter {
  /**
   * Counts requests of the caller.
   * @param points Default: one.
   * @returns The fields `RateLimit` and `RateLimit-Policy` of the IETF draft
   * (draft-ietf-httpapi-ratelimit-headers).
   * @throws {ApiError} `rate_limited` when the caller has none left.
   */
  count(caller: string, points?: number): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** @param perMinute Requests per minute and caller; 0 disables the limit. */
export async function createLimiter(perMinute: number, redisUrl?: string): Promise<Limiter> {
  if (perMinute === 0) return { count: async () => ({}), close: async () => {} };
  const redis = redisUrl ? await connect(redisUrl) : undefined;
  const inProcess = new RateLimiterMemory({ points: perMinute, duration: seconds });
  // Without Redis each process counts on its own, because a failed limiter must not refuse all
  // callers.
  const limiter = redis
    ? new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: 'lanyard',
        points: perMinute,
        duration: seconds,
        insuranceLimiter: inProcess,
      })
    : inProcess;
  redis?.on('error', () => {});
  const fields = ({ remainingPoints, msBeforeNext }: RateLimiterRes) => ({
    RateLimit: `"caller";r=${Math.max(remainingPoints, 0)};t=${Math.ceil(msBeforeNext / 1000)}`,
    'RateLimit-Policy': `"caller";q=${perMinute};w=${seconds}`,
  });
  return {
    async count(caller, points = 1) {
      try {
        return fields(await limiter.consume(caller, points));
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

/** Loaded on demand, because most servers have no Redis. */
async function connect(url: string) {
  const { Redis } = await import('ioredis');
  return new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: redisTimeoutMs,
    socketTimeout: redisTimeoutMs,
  });
}

/** Adds the header fields of the limit to the response. */
export class RateLimited extends ApiError {
  constructor(
    readonly fields: Record<string, string>,
    retryAfter: number,
  ) {
    super('rate_limited', undefined, undefined, retryAfter);
  }
}
