/**
 * Idempotency-Key: the claim of the key, the write and the stored answer share one transaction. A crash at any point leaves all of it or nothing, and
 * never a key that stays in progress.
 */
import { createHash } from 'node:crypto';
import type { Principal } from '../auth/policy.js';
import type { Database } from '../database/connection.js';
import { pgError } from '../database/failures.js';
import { ApiError, invalid } from '../errors.js';

/** An answer as it went out, so that it can go out again to the byte. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A caller's key with the request that it stands for. */
export interface Claim {
  readonly appId: string;
  readonly userId: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** @throws {ApiError} `validation_error` when the key is not 1 to 255 characters of visible ASCII. */
export function claimOf({ appId, userId }: Principal, key: string, method: string, path: string, body: Uint8Array): Claim {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid({ 'Idempotency-Key': ['must be 1 to 255 characters of visible ASCII, without blanks'] });
  const fingerprint = createHash('sha256').update(`${method} ${path}\n`).update(body).digest('base64url');
  return { appId, userId, key, fingerprint };
}

/** The keys that this process works on now: their duplicates are answered at once, and take no connection. */
const inFlight = new Set<string>();

/** @throws {ApiError} `idempotency_in_progress` while this process works on the same key. */
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
 * The lock lasts as long as the transaction: whoever can't have it knows that another process works on the key. An expired key is free again. A key that
 * isn't free gets no fingerprint, which the table refuses: so what was sent behind the statement isn't run.
 */
const claimStatement = `
  with free as materialized (select pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text || ' ' || $3, 0)) as is_free)
  insert into idempotency_records as r (app_id, user_id, key, fingerprint, expires_at)
  select $1::uuid, $2::uuid, $3, case when is_free then $4 end, clock_timestamp() + $5::int * interval '1 hour' from free
  on conflict (app_id, user_id, key) do update
    set fingerprint = case when r.expires_at <= clock_timestamp() then excluded.fingerprint end, status = null, created_at = excluded.created_at,
      expires_at = excluded.expires_at`;

const releaseStatement = 'delete from idempotency_records where app_id = $1 and user_id = $2 and key = $3';

/** Takes the key for this transaction, ahead of its first statement, which rejects with an error that {@link isRefused} knows when the key isn't free. */
export const take = (tx: Database, { appId, userId, key, fingerprint }: Claim, hours: number): void =>
  void tx.startWith([claimStatement, [appId, userId, key, fingerprint, hours]], [releaseStatement, [appId, userId, key]]);

export const isRefused = (error: unknown): boolean => {
  const { table, column } = pgError(error) ?? {};
  return table === 'idempotency_records' && column === 'fingerprint';
};

/**
 * @returns The stored answer of the same request; undefined when there is none under the key.
 * @throws {ApiError} `idempotency_key_reused` when there is one of another request.
 */
export async function storedFor(db: Database, { appId, userId, key, fingerprint }: Claim): Promise<Answer | undefined> {
  const [stored] = await db.query<Answer & { fingerprint: string }>(
    `select fingerprint, status, headers, body from idempotency_records
     where app_id = $1 and user_id = $2 and key = $3 and expires_at > clock_timestamp()`,
    [appId, userId, key],
  );
  if (!stored) return undefined;
  if (stored.fingerprint !== fingerprint) throw new ApiError('idempotency_key_reused');
  const { status, headers, body } = stored;
  return { status, headers, body };
}

const storeStatement =
  'update idempotency_records set status = $4, headers = $5, body = $6 where app_id = $1 and user_id = $2 and key = $3';

/** Keeps the answer, with the commit of the transaction. */
export const store = (tx: Database, { appId, userId, key }: Claim, { status, headers, body }: Answer): void =>
  tx.endWith([storeStatement, [appId, userId, key, status, JSON.stringify(headers), String(body)]]);
