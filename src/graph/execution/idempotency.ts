/**
 * Idempotency-Key: claiming the key, the write and the stored response share one transaction. A
 * crash leaves all of it or nothing, and never a key in progress.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '../../auth/policy.js';
import type { Database } from '../../database/connection.js';
import { pgError } from '../../database/failures.js';
import { ApiError, invalid } from '../../errors.js';

/** A response as sent, so that a replay is identical to the byte. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A caller's key, with the fingerprint of its request. */
export interface Claim {
  readonly appId: string;
  readonly userId: string;
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * @throws {ApiError} `validation_error` when the key is not 1 to 255 characters of visible ASCII.
 */
export function claimOf(
  { appId, userId }: Principal,
  key: string,
  method: string,
  path: string,
  body: Uint8Array,
): Claim {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid({
      'Idempotency-Key': ['must be 1 to 255 characters of visible ASCII, without blanks'],
    });
  const fingerprint = createHash('sha256')
    .update(`${method} ${path}\n`)
    .update(body)
    .digest('base64url');
  return { appId, userId, key, fingerprint };
}

/**
 * The keys in progress in this process. Their duplicates are rejected at once, without a
 * connection.
 */
const inFlight = new Set<string>();

/** @throws {ApiError} `idempotency_in_progress` while this process handles the same key. */
export async function alone<T>({ appId, userId, key }: Claim, work: () => Promise<T>): Promise<T> {
  const id = `${appId} ${userId} ${key}`;
  if (inFlight.has(id)) throw new ApiError('idempotency_in_progress');
  inFlight.add(id);
  try {
    return await work();
  } finally {
    inFlight.delete(id);
  }
}

/**
 * Holds an advisory lock for the transaction. If it is not available, another process handles the
 * key. An expired key is free. For a key that is not free, the fingerprint is null, which violates
 * a constraint, so that the statements pipelined after it do not run.
 */
const claimStatement = `
  insert into idempotency_records as r (app_id, user_id, key, fingerprint, created_at, expires_at)
  values ($1::uuid, $2::uuid, $3::text,
    case when pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text || ' ' || $3::text, 0)) then $4::text end,
    clock_timestamp(), clock_timestamp() + $5::int * interval '1 hour')
  on conflict (app_id, user_id, key) do update
    set fingerprint = case when r.expires_at <= excluded.created_at then excluded.fingerprint end, status = null, created_at = excluded.created_at,
      expires_at = excluded.expires_at`;

const releaseStatement =
  'delete from idempotency_records where app_id = $1 and user_id = $2 and key = $3';

/**
 * Claims the key, prepended to the first statement of the transaction. When the key is not free,
 * that statement rejects with an error that {@link isRefused} detects.
 */
export const take = (
  tx: Database,
  { appId, userId, key, fingerprint }: Claim,
  hours: number,
): void =>
  void tx.prepend(
    [claimStatement, [appId, userId, key, fingerprint, hours]],
    [releaseStatement, [appId, userId, key]],
  );

export const isRefused = (error: unknown): boolean => {
  const { table, column } = pgError(error) ?? {};
  return table === 'idempotency_records' && column === 'fingerprint';
};

/** The stored response of a key, with the fingerprint of its request. */
export interface Stored extends Answer, Pick<Claim, 'fingerprint'> {
  /** The organization that the request wrote to; null in responses stored by older releases. */
  readonly organizationId: string | null;
}

/** The stored response of the key, from the same request or another. */
export async function storedFor(
  db: Database,
  { appId, userId, key }: Claim,
): Promise<Stored | undefined> {
  const [stored] = await db.query<Stored>(
    `select fingerprint, organization_id as "organizationId", status, headers, body from idempotency_records
     where app_id = $1 and user_id = $2 and key = $3 and expires_at > clock_timestamp()`,
    [appId, userId, key],
    { isBatched: true },
  );
  return stored;
}

/**
 * @throws {ApiError} `idempotency_key_reused` when the stored response belongs to another request.
 */
export function requireSame({ fingerprint }: Claim, stored: Stored): Answer {
  if (stored.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused');
  const { status, headers, body } = stored;
  return { status, headers, body };
}

const storeStatement =
  'update idempotency_records set status = $4, headers = $5, body = $6, organization_id = $7 where app_id = $1 and user_id = $2 and key = $3';

/** Stores the response and commits. */
export const store = (
  tx: Database,
  { appId, userId, key }: Claim,
  { status, headers, body }: Answer,
  organizationId: string | undefined,
): void =>
  tx.append([
    storeStatement,
    [appId, userId, key, status, JSON.stringify(headers), String(body), organizationId],
  ]);
