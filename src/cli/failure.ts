/** Error messages and exit codes of commands. */
import { ConfigError } from '../config.js';
import { isUnavailable } from '../database/failures.js';
import { MigrationBlocked } from '../database/migrate.js';
import { ApiError, StartError } from '../errors.js';
import { exitCodeOf, Interrupted } from './interrupt.js';
import { UsageError } from './usage.js';

export const exitCodes = { failed: 1, calledWrongly: 2 } as const;

interface Failure {
  /** For scripts: an error code of the API, or one of these. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

/** @param asJson One line of JSON: `{"error": {"code", "message"}}`. */
export function report(
  error: unknown,
  asJson: boolean,
): { readonly text: string; readonly exitCode: number } {
  const { code, message, exitCode } = failureOf(error);
  return {
    text: asJson ? `${JSON.stringify({ error: { code, message } })}\n` : `${message}\n`,
    exitCode,
  };
}

function failureOf(error: unknown): Failure {
  const { failed, calledWrongly } = exitCodes;
  if (error instanceof UsageError)
    return { code: 'called_wrongly', message: error.message, exitCode: calledWrongly };
  if (error instanceof ConfigError)
    return { code: 'configuration', message: error.message, exitCode: calledWrongly };
  if (error instanceof Interrupted)
    return { code: 'interrupted', message: error.message, exitCode: exitCodeOf(error.by) };
  if (error instanceof MigrationBlocked)
    return { code: 'migration_blocked', message: error.message, exitCode: failed };
  if (error instanceof StartError)
    return { code: 'cannot_start', message: error.message, exitCode: failed };
  if (error instanceof ApiError)
    return { code: error.code, message: inDetail(error), exitCode: failed };
  if (isUnavailable(error))
    return {
      code: 'service_unavailable',
      message: unavailable(error as NodeJS.ErrnoException),
      exitCode: failed,
    };
  return {
    code: 'internal_error',
    message: (error as Error).stack ?? String(error),
    exitCode: failed,
  };
}

/** The problem of each value, if the error has them. */
const inDetail = (error: ApiError): string =>
  error.code === 'validation_error'
    ? Object.values(error.details ?? {})
        .flat()
        .join('\n')
    : error.message;

/** Node tries several addresses at once; its combined error has no message. */
const unavailable = ({ message, code }: NodeJS.ErrnoException): string =>
  `PostgreSQL is not available: ${message || code}. “lanyard doctor” says what is wrong.`;
