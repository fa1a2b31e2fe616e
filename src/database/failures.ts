/** Errors of PostgreSQL and of the connection to it, and which of them are temporary. */

/** PostgreSQL's error for a failed statement. */
export interface PgError extends Error {
  /** The SQLSTATE, such as `23505` for a duplicate key. */
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
}

/**
 * The error as PostgreSQL's own, also when MikroORM wrapped it (the fields remain). Undefined for
 * any other error.
 */
export function pgError(error: unknown): PgError | undefined {
  return Error.isError(error) && 'severity' in error && 'code' in error
    ? (error as PgError)
    : undefined;
}

/**
 * SQLSTATEs of temporary failures: connection lost, too many connections, shutdown, cancelled, time
 * limits, read-only server, and conflicts that {@link Database.transaction} retried in vain.
 */
const passing = /^(08|53|57|25006|25P03|25P04|55P03|40001|40P01)/;
/** `pg` has no codes for its own errors; Node has codes for network errors. */
const lost =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)|\bE(CONN\w+|PIPE|PROTO|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)\b/;

/**
 * Whether PostgreSQL or a slot of the pool is temporarily unavailable, so that the same request may
 * succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  const known = pgError(error);
  if (known) return passing.test(known.code);
  return Error.isError(error) && lost.test('code' in error ? String(error.code) : error.message);
}

/** Deadlock and serialization failure: PostgreSQL rolled back, and a retry may succeed. */
const retryable: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);

export const isRetryable = (error: unknown): boolean => retryable.has(pgError(error)?.code);

/** The error of PostgreSQL for a transaction that exceeds its time limit. */
export const tookTooLong = (): Error =>
  Object.assign(new Error('The transaction took too long'), { code: '25P04', severity: 'ERROR' });

/**
 * Throw it in a {@link Database.transaction} to retry the work, because another commit overtook
 * what it had read.
 */
export const overtaken = (cause: unknown): Error =>
  Object.assign(new Error('overtaken', { cause }), { code: '40001', severity: 'ERROR' });
