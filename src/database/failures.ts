/** What went wrong between here and PostgreSQL, and whether the same may pass another time. */

/** What PostgreSQL says of a failed statement. */
export interface PgError extends Error {
  /** The SQLSTATE: `23505` where a unique key has the value already. */
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
}

/** The error as PostgreSQL's, whether MikroORM wrapped it (which keeps the fields) or not. Undefined for any other error. */
export function pgError(error: unknown): PgError | undefined {
  return error instanceof Error && 'severity' in error && 'code' in error ? (error as PgError) : undefined;
}

/** Connection lost, too many connections, shutdown, cancelled; time limits; a server that isn't the primary (yet); and what {@link Database.transaction} repeated in vain. */
const passing = /^(08|53|57|25006|25P03|25P04|55P03|40001|40P01)/;
/** `pg` has no codes for its own failures; Node has them for the network's. */
const lost =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)|\bE(CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)\b/;

/** True when PostgreSQL, or a slot in the pool, can't be had just now: the same request may pass a little later. */
export function isUnavailable(error: unknown): boolean {
  const known = pgError(error);
  if (known) return passing.test(known.code);
  return error instanceof Error && lost.test('code' in error ? String(error.code) : error.message);
}

/** Deadlock, and serialization failure: PostgreSQL rolled back, and the same work may pass when repeated. */
const retryable: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);

export const isRetryable = (error: unknown): boolean => retryable.has(pgError(error)?.code);

/** Throw it in a {@link Database.transaction} to have the work repeated: what it had read was overtaken by another's commit. */
export const overtaken = (cause: unknown): Error => Object.assign(new Error('overtaken', { cause }), { code: '40001', severity: 'ERROR' });
