/** Structured log lines on standard output, without secrets and personal data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import { packageRoot } from '../root.js';

/**
 * The logged form of an error. Omits PostgreSQL's `detail`, which has values of rows and may be
 * personal or secret, and the quoted value in messages of class 22.
 */
function toLine(error: unknown): object {
  if (!Error.isError(error)) return { message: String(error) };
  const { name, message, stack, code, constraint, table } = error as Error & {
    code?: string;
    constraint?: string;
    table?: string;
  };
  const shown = (text = ''): string =>
    /^22...$/.test(code ?? '') ? text.replace(/"[^"]*"/g, '"…"') : text;
  return { name, message: shown(message), stack: shown(stack), code, constraint, table };
}

/**
 * Lines are written in batches, at nearly the 16 KiB of one write or after 100 ms. A crash loses
 * only the last batch.
 */
const together = { sync: false, minLength: 16_000, periodicFlush: 100 };

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

export const createLogger = (
  level: Config['LOG_LEVEL'],
  destination?: { write(line: string): void },
): Logger =>
  pino(
    {
      level,
      serializers: { err: toLine },
      base: { service: 'lanyard', version, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    (destination ?? pino.destination(together)) as Parameters<typeof pino>[1],
  );

/** Writes log lines for people who watch a terminal. */
export const terminal = {
  write: (line: string): void => void process.stdout.write(`${readableLine(line)}\n`),
};

/** A log line as `09:30:12 GET /v1/me 200 3.2 ms`, or `09:30:12 WARN message {"more":1}`. */
export function readableLine(json: string): string {
  const { level, time, service: _s, version: _v, pid: _p, msg, err, ...rest } = JSON.parse(json);
  const clock = new Date(time).toTimeString().slice(0, 8);
  if (msg === 'request') {
    const { method, path, status, aborted, milliseconds, operation, requestId } = rest;
    const outcome = aborted ? 'aborted' : status;
    const named = operation && path.startsWith('/graphql') ? ` ${operation}` : '';
    const id = status >= 500 ? ` ${requestId}` : '';
    return `${clock} ${method} ${path}${named} ${outcome} ${milliseconds} ms${id}`;
  }
  const more = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  const stack = err ? `\n${err.stack ?? err.message}` : '';
  return `${clock} ${level.toUpperCase()} ${msg}${more}${stack}`;
}
