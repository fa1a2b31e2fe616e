/**
 * The process that makes load: one {@link Load} at a time comes in over IPC, its {@link Outcome}
 * goes back.
 */
import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import type { Load, Outcome, Request, Ticks } from './protocol.js';

/** Milliseconds: being told costs this thread some microseconds, too. */
const shortestTick = 0.25;

const pools = new Map<string, Pool>();

function poolOf(origin: string, connections: number): Pool {
  const id = `${origin} ${connections}`;
  let pool = pools.get(id);
  if (!pool) {
    pool = new Pool(origin, { connections, pipelining: 1, keepAliveTimeout: 60_000 });
    pools.set(id, pool);
  }
  return pool;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Reads the whole answer; keeps its text only when somebody looks at it. */
const send = (
  pool: Pool,
  { method, path, headers, body }: Request,
  keepsBody: boolean,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    pool.dispatch(
      { method, path, headers: { ...headers }, body: body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_, code) {
          status = code;
        },
        onResponseData(_, chunk) {
          if (keepsBody || status >= 300) chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ status, body: Buffer.concat(chunks).toString() }),
        onResponseError: (_, error) => reject(error),
      },
    );
  });

try {
  // It must not wait for what it measures, nor for others; nor must the threads that it starts from
  // here on.
  setPriority(-10);
} catch {
  // Not everybody may; how late it was then is in the results.
}

/** One for all loads: a new thread compiles its code anew, at the expense of this one. */
const ticker = new Worker(new URL('./ticker.js', import.meta.url));

class Run {
  private sent = 0;
  private failed = 0;
  private firstFailure: string | undefined;
  private readonly latencies: number[] = [];
  private readonly lateness: number[] = [];
  private readonly refreshTokens: string[];
  private countsFrom = 0;
  private readonly pools: readonly Pool[];

  constructor(private readonly load: Load) {
    const { origins, lanes } = load;
    this.pools = origins.map((origin) => poolOf(origin, Math.ceil(lanes / origins.length)));
    this.refreshTokens = [...(load.refreshTokens ?? [])];
  }

  async outcome(): Promise<Outcome> {
    const started = performance.now();
    this.countsFrom = started + (this.load.leadIn ?? 0);
    await (this.load.rate ? this.onSchedule(this.load.rate, started) : this.inLanes(started));
    const { failed, firstFailure, refreshTokens } = this;
    return {
      answered: this.latencies.length,
      failed,
      firstFailure,
      milliseconds: performance.now() - started,
      latencies: this.latencies.sort((a, b) => a - b),
      lateness: this.lateness.sort((a, b) => a - b),
      next: (this.load.from + this.sent) % this.load.requests.length,
      refreshTokens,
    };
  }

  private async inLanes(started: number): Promise<void> {
    const until = started + this.load.milliseconds;
    const lane = async (_: unknown, number: number) => {
      while (performance.now() < until) await this.one(number, performance.now());
    };
    await Promise.all(Array.from({ length: this.load.lanes }, lane));
  }

  private async onSchedule(rate: number, started: number): Promise<void> {
    const count = Math.floor((rate * this.load.milliseconds) / 1000);
    const under: Promise<void>[] = [];
    const sendDue = () => {
      const due = Math.min(count, Math.floor(((performance.now() - started) / 1000) * rate) + 1);
      while (under.length < due)
        under.push(this.one(under.length, started + (under.length / rate) * 1000));
    };
    const interval = Math.max(shortestTick, 1000 / rate);
    const ticks: Ticks = {
      started: Number(process.hrtime.bigint()) / 1e6 - (performance.now() - started),
      interval,
      count: Math.ceil(this.load.milliseconds / interval),
    };
    const ended = Promise.withResolvers<void>();
    const told = (left: number) => {
      sendDue();
      if (left === 0) ended.resolve();
    };
    ticker.on('message', told).postMessage(ticks);
    await ended.promise;
    ticker.off('message', told);
    await Promise.all(under);
  }

  /** @param intended When it was meant to go out. */
  private async one(lane: number, intended: number): Promise<void> {
    const { requests, from, refreshTokens } = this.load;
    const request = requests[(from + this.sent) % requests.length] as Request;
    const pool = this.pools[this.sent % this.pools.length] as Pool;
    this.sent++;
    const late = performance.now() - intended;
    try {
      const answer = await send(pool, this.filled(request, lane), refreshTokens !== undefined);
      if (answer.status >= 300) this.fail(`${answer.status} ${answer.body.slice(0, 500)}`);
      else if (refreshTokens) this.refreshTokens[lane] = JSON.parse(answer.body).refresh_token;
    } catch (error) {
      this.fail((error as Error).message);
    }
    if (intended < this.countsFrom) return;
    this.lateness.push(late);
    this.latencies.push(performance.now() - intended);
  }

  private filled(request: Request, lane: number): Request {
    const { headers, body } = request;
    if (this.load.refreshTokens)
      return {
        ...request,
        body: body?.replace('{refresh_token}', this.refreshTokens[lane] ?? '') ?? '',
      };
    if (headers['idempotency-key'] === undefined) return request;
    return {
      ...request,
      headers: { ...headers, 'idempotency-key': randomUUID() },
      ...(body && { body: body.replace('{uuid}', randomUUID()) }),
    };
  }

  private fail(what: string): void {
    this.failed++;
    this.firstFailure ??= what;
  }
}

process.on('message', async (load: Load) => {
  process.send?.(await new Run(load).outcome());
});
process.on('disconnect', () => process.exit());
