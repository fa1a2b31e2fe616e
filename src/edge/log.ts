/** Structured lines on standard output, without what doesn't belong there. */
import type { ParameterizedContext } from 'koa';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import type { Context } from '../context.js';

/**
 * What a line keeps of an error. PostgreSQL's `detail` has the values of rows, which may be personal or secret; so has the message about a value that it
 * can't read (class 22), in quotes.
 */
function toLine(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code, constraint, table } = error as Error & { code?: string; constraint?: string; table?: string };
  const shown = (text = ''): string => (/^22...$/.test(code ?? '') ? text.replace(/"[^"]*"/g, '"…"') : text);
  return { name, message: shown(message), stack: shown(stack), code, constraint, table };
}

/** Lines go out together, at nearly the 16 KiB that one write takes or after 100 ms. What a crash leaves unwritten are those of its last moment. */
const together = { sync: false, minLength: 16_000, periodicFlush: 100 };

export const createLogger = (level: Config['LOG_LEVEL'], destination?: { write(line: string): void }): Logger =>
  pino({ level, serializers: { err: toLine } }, (destination ?? pino.destination(together)) as Parameters<typeof pino>[1]);

/**
 * The path as a line may have it. That of a one-time link is a secret, which signs in whoever has it; and whatever is longer than a UUID may be a token or a
 * secret that somebody put in the wrong place.
 */
export const toLoggedPath = (path: string): string => path.replace(/^(\/portal\/links\/).+/, '$1…').replace(/[^/]{37,}/g, '…');

/**
 * The line of a request, once its answer is out.
 * @param started When it came, as `performance.now()` tells it.
 */
export function lineOf(ctx: ParameterizedContext, requestId: string, started: number) {
  const context = ctx.state.context as Context | undefined;
  return {
    requestId,
    method: ctx.method,
    path: toLoggedPath(ctx.path),
    status: ctx.res.headersSent ? ctx.status : undefined,
    // The client left, or was cut off, before it had the whole answer. Readers of streams end them so.
    aborted: ctx.res.writableFinished ? undefined : true,
    milliseconds: Math.round((performance.now() - started) * 10) / 10,
    operation: ctx.state.operation as string | undefined,
    user: context?.principal?.userId,
    app: context?.principal?.clientId,
    statements: context?.db.statements,
  };
}
