/** A client of all servers that notes how each request ended, and what no client may ever see. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Body, type RequestOptions, send } from '../support/app.js';
import { assertContract } from '../support/contract.js';
import type { Fleet } from './fleet.js';

/** Undefined where the connection was lost. */
export type Reply =
  | { readonly status: number; readonly body: Body; readonly isReplay: boolean }
  | undefined;

export interface CallerOptions {
  /**
   * Whether servers may refuse connections, as one that stopped does; also close one that was idle
   * just as a request is written on it, as every one does that stops; or lose them, as one that was
   * killed does.
   */
  readonly mayLose?: 'refused' | 'idle' | 'any';
  /** Milliseconds within which every request must end. */
  readonly limit?: number;
}

export class Caller {
  /** Requests by how they ended. */
  readonly counts: Record<string, number> = {};
  /** What broke a promise. */
  readonly broken: string[] = [];
  /** Milliseconds of the slowest request. */
  slowest = 0;
  private turn = 0;
  private readonly writes = new Map<string, PromiseWithResolvers<void>>();

  constructor(
    private readonly fleet: Pick<Fleet, 'bases' | 'token'>,
    private readonly options: CallerOptions = {},
  ) {}

  /**
   * Resolves as soon as the server answers another write with success: the moment in which losing
   * it is worst.
   */
  nextWrite(base: string): Promise<void> {
    const next = this.writes.get(base) ?? Promise.withResolvers<void>();
    this.writes.set(base, next);
    return next.promise;
  }

  /** Sends to one server after the other. */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    const base = this.fleet.bases[this.turn++ % this.fleet.bases.length] ?? '';
    const started = performance.now();
    const limit = this.options.limit ?? 15_000;
    const late = delay(limit + 5000, 'late' as const, { ref: false });
    const sending = send(base, method, path, { token: this.fleet.token, ...options }).catch(
      (error: Error) => error,
    );
    const response = await Promise.race([sending, late]);
    const took = performance.now() - started;
    this.slowest = Math.max(this.slowest, took);
    if (took > limit) this.broken.push(`${method} ${path}: ${Math.round(took)} ms`);
    if (response === 'late') return undefined;
    if (response instanceof Error) {
      this.lose(`${method} ${path}`, (response.cause ?? response) as NodeJS.ErrnoException);
      return undefined;
    }
    const { status, headers, body } = response;
    this.count(String(status));
    if (status < 300 && method !== 'GET' && path.startsWith('/v1/')) this.tellWrite(base);
    this.judge(`${method} ${path}: ${status} ${response.text}`, status, headers);
    if (path.startsWith('/v1/'))
      this.hold(() => assertContract(method, path, status, headers, body));
    return { status, body, isReplay: headers.get('idempotency-replayed') === 'true' };
  }

  /**
   * Sends until a server answers with success: after a lost connection or 503 again, as a client
   * would.
   */
  async insist(method: string, path: string, options: RequestOptions = {}): Promise<Reply> {
    for (const started = performance.now(); performance.now() - started < 60_000; ) {
      const reply = await this.send(method, path, options);
      if (reply && reply.status < 300) return reply;
      await delay(100);
    }
    this.broken.push(`${method} ${path}: no success in a minute`);
    return undefined;
  }

  private tellWrite(base: string): void {
    this.writes.get(base)?.resolve();
    this.writes.delete(base);
  }

  private lose(what: string, cause: NodeJS.ErrnoException): void {
    const how = howLost(cause);
    this.count(how);
    const { mayLose } = this.options;
    const may = mayLose === 'any' || mayLose === how || (mayLose === 'idle' && how === 'refused');
    if (!may) this.broken.push(`${what}: ${String(cause)}`);
  }

  private count(outcome: string): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1;
  }

  private judge(what: string, status: number, headers: Headers): void {
    if (status === 503 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
      this.broken.push(`${what} without Retry-After`);
    if (status !== 503 && status >= 300) this.broken.push(what);
  }

  private hold(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.broken.push(String(error));
    }
  }
}

/**
 * Closed in order, without an answer, after others on the same connection: `idle`. A reset is
 * something else.
 */
function howLost(cause: NodeJS.ErrnoException & { socket?: { bytesRead: number } }): string {
  if (cause.code === 'ECONNREFUSED') return 'refused';
  return cause.code === 'UND_ERR_SOCKET' && cause.socket?.bytesRead ? 'idle' : 'lost';
}
