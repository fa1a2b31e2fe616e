/** Checks optional services: Redis, a mail server, and the disk of the embedded PostgreSQL. */
import { accessSync, constants, existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.js';
import { type Finding, failure, messageOf, ok, warning } from './finding.js';

/** Milliseconds for a service to respond. */
const timeoutMs = 3000;

export async function checkRedis({ REDIS_URL: url }: Config): Promise<Finding> {
  const check = 'Redis';
  if (!url) return ok(check, 'none: each server counts its callers separately');
  let reason: unknown;
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  redis.on('error', (error) => {
    reason = error;
  });
  try {
    await redis.connect();
    const replication = await redis.info('replication');
    if (/^role:slave/m.test(replication))
      return warning(check, 'it is a replica, which is read-only', 'Set REDIS_URL to the master.');
    return ok(check, 'reachable and writable');
  } catch (error) {
    const found = `REDIS_URL: ${messageOf(reason ?? error)}; each server counts its callers separately`;
    return warning(check, found, 'Start Redis, or fix host, port and password in REDIS_URL.');
  } finally {
    redis.disconnect();
  }
}

/** Connects without a greeting, which would appear in the log of the mail server. */
export async function checkMail({ SMTP_URL }: Config): Promise<Finding> {
  const check = 'mail';
  if (!SMTP_URL) return ok(check, 'none: admins pass links on');
  const { hostname, port, protocol } = new URL(SMTP_URL);
  const standardPort = protocol === 'smtps:' ? 465 : 587;
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || standardPort,
  });
  const problem = await new Promise<unknown>((done) => {
    socket.setTimeout(timeoutMs, () => done(new Error(`no answer in ${timeoutMs} ms`)));
    socket.once('connect', () => done(undefined));
    socket.once('error', done);
  });
  socket.destroy();
  return problem === undefined
    ? ok(check, 'the mail server accepts connections; sending mail was not tested')
    : warning(
        check,
        `SMTP_URL: ${messageOf(problem)}; links are not sent`,
        'Start the mail server, or fix host and port in SMTP_URL.',
      );
}

/** Bytes of free space that cause a warning, and below which writes will soon fail. */
const [scarce, full] = [2 ** 30, 100 * 2 ** 20];

export async function checkDisk({ DATABASE_URL, DATA_DIR }: Config): Promise<Finding> {
  const check = 'disk';
  if (DATABASE_URL) return ok(check, 'DATA_DIR is not used: DATABASE_URL is set');
  const directory = existing(resolve(DATA_DIR));
  try {
    accessSync(directory, constants.W_OK);
    const { bavail, bsize } = await statfs(directory);
    const free = bavail * bsize;
    const found = `${(free / 2 ** 30).toFixed(1)} GiB are free for DATA_DIR`;
    if (free >= scarce) return ok(check, found);
    return (free < full ? failure : warning)(
      check,
      found,
      'Make room, or set DATA_DIR to a larger disk.',
    );
  } catch (error) {
    return failure(
      check,
      `DATA_DIR cannot be written: ${messageOf(error)}`,
      'Fix DATA_DIR, or its owner.',
    );
  }
}

/** The folder, or its nearest existing parent: the first start creates it. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)));
