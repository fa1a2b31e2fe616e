/**
 * Browsers with an earlier sign-in. Their attempts are counted separately from those of strangers.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../../config.js';
import { readSignedCookie, writeSignedCookie } from './cookies.js';

export interface Device {
  readonly id: string;
  /** The accounts that signed in there, latest first. */
  readonly userIds: readonly string[];
}

/** Maximum number of accounts that one browser remembers. */
const maxAccounts = 5;
const days = 365;

/** The browser of a request; undefined without an earlier sign-in or a valid cookie. */
export function deviceOf(ctx: ParameterizedContext, config: Config): Device | undefined {
  const [id, ...userIds] = readSignedCookie(ctx, config, 'device')?.split('.') ?? [];
  return id ? { id, userIds } : undefined;
}

/** Call it after a sign-in. */
export function rememberDevice(ctx: ParameterizedContext, config: Config, userId: string): void {
  const known = deviceOf(ctx, config);
  const others = known?.userIds.filter((each) => each !== userId) ?? [];
  const value = [known?.id ?? randomUUIDv7(), userId, ...others.slice(0, maxAccounts - 1)].join(
    '.',
  );
  writeSignedCookie(ctx, config, 'device', value, days * 24 * 60 * 60 * 1000);
}
