/**
 * Rate limits: of callers, counted in the process, or in Redis for all processes; and of requests
 * without a valid token, by address, before anything is computed for them.
 */
import { isIPv6 } from 'node:net';
import type { ParameterizedContext } from 'koa';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Authenticator } from '../auth/principal.js';
import type { Context } from '../context.js';
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

const windowMs = 60_000;
/** Points of an address per minute. A refused token costs one. */
const maxPoints = 600;
/** Cost of a GraphQL document without a token: it is parsed and validated. */
const documentPoints = 5;
/**
 * Maximum number of counted addresses, about 10 MB. A client with more addresses evicts its own
 * counters, and locks no one else out.
 */
const maxAddresses = 50_000;

interface Count {
  points: number;
  readonly endsAt: number;
}

/** Counts in the process: unauthenticated requests cause no load on Redis or PostgreSQL. */
export class Strangers {
  readonly #counts = new LRUCache<string, Count>({ max: maxAddresses });
  readonly #points: number;

  /** @param perMinute The limit of callers, which bounds that of strangers; 0 disables it. */
  constructor(perMinute: number) {
    this.#points = Math.min(perMinute, maxPoints);
  }

  /** @throws {RateLimited} when the address has no points left. */
  count(address: string, points = 1): void {
    if (this.#points === 0) return;
    const now = Date.now();
    const key = networkOf(address);
    let count = this.#counts.get(key);
    if (!count || count.endsAt <= now) {
      count = { points: 0, endsAt: now + windowMs };
      this.#counts.set(key, count);
    }
    if (count.points >= this.#points) {
      const seconds = (count.endsAt - now) / 1000;
      throw new RateLimited(fieldsOf(this.#points, seconds), seconds);
    }
    count.points += points;
  }

  /** Refunds points to the address of an authenticated request. */
  forgive(address: string, points = 1): void {
    const count = this.#counts.get(networkOf(address));
    if (count) count.points = Math.max(0, count.points - points);
  }
}

/** Passes a request on, or throws. */
export type Guard = <Ctx extends ParameterizedContext>(
  ctx: Ctx,
  next: (ctx: Ctx) => Promise<void>,
) => Promise<void>;

/**
 * Counts requests whose token is not known to be valid, before any work. Points of a valid token
 * are refunded: a caller does not pay for neighbours behind the same address, and continues when
 * these have used it up, from the second request of the token on.
 */
export function limitStrangers(strangers: Strangers, authenticator: Authenticator): Guard {
  return async (ctx, next) => {
    if (authenticator.knows(ctx.headers.authorization)) return next(ctx);
    const points = isDocument(ctx) ? documentPoints : 1;
    strangers.count(ctx.ip, points);
    try {
      await next(ctx);
    } finally {
      if ((ctx.state.context as Context | undefined)?.principal) strangers.forgive(ctx.ip, points);
    }
  };
}

const isDocument = ({ path, method, query, headers }: ParameterizedContext): boolean =>
  path === '/graphql' &&
  headers.authorization === undefined &&
  (method === 'POST' || query.query !== undefined);

const fieldsOf = (points: number, seconds: number): Record<string, string> => ({
  RateLimit: `"address";r=0;t=${Math.ceil(seconds)}`,
  'RateLimit-Policy': `"address";q=${points};w=${windowMs / 1000}`,
});

/** An IPv4 address, or the /64 network of an IPv6 address, which belongs to one subscriber. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address.slice(0, 45);
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const isShort = address.includes('::');
  // A suffix in IPv4 form stands for two groups.
  const length = (part: string[]) => part.length + (part.at(-1)?.includes('.') ? 1 : 0);
  const [first, last] = [groups(head), groups(tail)];
  const zeros = isShort
    ? Array<string>(Math.max(0, 8 - length(first) - length(last))).fill('0')
    : [];
  const network = [...first, ...zeros, ...last].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
