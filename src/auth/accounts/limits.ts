/** Rate limits of sign-in: counted in PostgreSQL, for all processes together. */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { hashSecret } from './secrets.js';

/**
 * Attempts at an account from one IP address in 15 minutes: enough for a person who tries old
 * passwords, too few to guess one.
 */
export const attemptsPerAccount = 10;
/**
 * Attempts at an account from all addresses together: more than one stranger can make, so that one
 * stranger cannot lock the owner out.
 */
export const attemptsPerAccountInAll = 100;
/**
 * Attempts at an account in a browser with an earlier sign-in. Attempts elsewhere do not count
 * here, so that strangers cannot lock the owner out.
 */
const attemptsPerDevice = 10;
/** Wrong current passwords in one session. */
const attemptsPerSession = 10;
/** A whole crew may share one address. */
const attemptsPerAddress = 60;
const seconds = 15 * 60;

/** Who tries what. */
export interface Attempt {
  /** The IP address. */
  readonly address: string;
  /** A sign-in name, existing or not; omitted when the attempt has none. */
  readonly account?: string;
  /** The browser, if it has signed in to this account before. */
  readonly deviceId?: string | undefined;
}

export class SignInLimiter {
  private readonly pairs: RateLimiterPostgres;
  private readonly accounts: RateLimiterPostgres;
  private readonly devices: RateLimiterPostgres;
  private readonly sessions: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;

  constructor(db: Database) {
    this.pairs = limiterOf(db, 'account-address', attemptsPerAccount, seconds);
    this.accounts = limiterOf(db, 'account', attemptsPerAccountInAll, seconds);
    this.devices = limiterOf(db, 'device', attemptsPerDevice, seconds);
    this.sessions = limiterOf(db, 'session', attemptsPerSession, seconds);
    this.addresses = limiterOf(db, 'address', attemptsPerAddress, seconds);
  }

  /**
   * Counts an attempt before its outcome is known, so that concurrent guesses are counted too.
   * @throws {ApiError} `rate_limited`
   */
  async count({ address, account, deviceId }: Attempt): Promise<void> {
    if (account !== undefined && deviceId !== undefined)
      return consume(this.devices, keyOf(`${deviceId} ${account}`));
    await consume(this.addresses, address);
    if (account === undefined) return;
    await consume(this.pairs, keyOf(`${address} ${account}`));
    await consume(this.accounts, keyOf(account));
  }

  /**
   * Call it after a success: resets the attempts at the account, and does not count this one for
   * the address.
   */
  async forgive({ address, account = '', deviceId }: Attempt): Promise<void> {
    if (deviceId !== undefined)
      return void (await this.devices.delete(keyOf(`${deviceId} ${account}`)));
    await this.pairs.delete(keyOf(`${address} ${account}`));
    await this.accounts.delete(keyOf(account));
    await this.addresses.reward(address);
  }

  /** Counts an attempt at the current password. @throws {ApiError} `rate_limited` */
  async countInSession(sessionId: string): Promise<void> {
    await consume(this.sessions, sessionId);
  }

  async forgiveSession(sessionId: string): Promise<void> {
    await this.sessions.delete(sessionId);
  }
}

/** A separate limit with the prefix: `points` in `duration` seconds. */
export function limiterOf(
  db: Database,
  keyPrefix: string,
  points: number,
  duration: number,
): RateLimiterPostgres {
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

/** A hash of fixed length, so that the table reveals no sign-in names. */
export const keyOf = (account: string): string =>
  hashSecret(account.toLowerCase()).toString('base64url');

export async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (spent) {
    if (!(spent instanceof RateLimiterRes)) throw spent;
    throw new ApiError(
      'rate_limited',
      `There were too many attempts: wait ${inWords(spent.msBeforeNext)}, then try again.`,
      undefined,
      Math.ceil(spent.msBeforeNext / 1000),
    );
  }
}

function inWords(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
