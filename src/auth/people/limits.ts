/** How often sign-ins may be tried: counted in PostgreSQL, for all processes together. */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { hashSecret } from './secrets.js';

/** Attempts in a quarter of an hour: enough for a person who tries old passwords, too few to guess one. */
export const attemptsPerAccount = 10;
/** A crew may sit behind one address. */
const attemptsPerAddress = 60;
const seconds = 15 * 60;

export class SignInLimiter {
  private readonly accounts: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;

  constructor(db: Database) {
    this.accounts = limiterOf(db, 'account', attemptsPerAccount, seconds);
    this.addresses = limiterOf(db, 'address', attemptsPerAddress, seconds);
  }

  /**
   * Counts an attempt before its outcome is known, so that parallel guesses are counted too.
   * @param account An e-mail address, whether anybody has it or not; left out where the attempt names none.
   * @throws {ApiError} `rate_limited`
   */
  async count(address: string, account?: string): Promise<void> {
    await consume(this.addresses, address);
    if (account !== undefined) await consume(this.accounts, keyOf(account));
  }

  /** After a success: the attempts of the account are forgotten, and this one is not held against the address. */
  async forgive(address: string, account: string): Promise<void> {
    await this.accounts.delete(keyOf(account));
    await this.addresses.reward(address);
  }
}

/** A limit of its own under the prefix: so many points in so many seconds. */
export function limiterOf(db: Database, keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const rows = await db.query(text, values);
    return { rows, rowCount: rows.length };
  };
  return new RateLimiterPostgres({
    storeClient: { query },
    storeType: 'client',
    tableName: 'sign_in_attempts',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration,
  });
}

/** Of one length, and readable by nobody who reads the table. */
export const keyOf = (account: string): string => hashSecret(account.toLowerCase()).toString('base64url');

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent;
    const minutes = Math.ceil(spent.msBeforeNext / 60_000);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    throw new ApiError(
      'rate_limited',
      `There were too many attempts: wait ${wait}, then try again.`,
      undefined,
      Math.ceil(spent.msBeforeNext / 1000),
    );
  }
}
