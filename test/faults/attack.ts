/**
 * One hostile caller with 64 connections, in a thread of its own: what the quiet tenants of
 * fairness.test.ts are measured beside.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export interface Attack {
  readonly bases: readonly string[];
  readonly token: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  /** With `#` for the number of the request. */
  readonly body: string;
  /** Whether the answer is a stream that stays open. */
  readonly isStream?: boolean;
}

const connections = 64;

/**
 * Sends without a pause, except that it waits a tick after a refusal: nobody gets more out of a
 * server by asking for refusals faster.
 */
async function attack({ bases, token, method, path, body, isStream }: Attack): Promise<void> {
  const dispatcher = new Agent({ connections });
  const counts: Record<string, number> = {};
  let sent = 0;
  let isOver = false;
  parentPort?.once('message', () => {
    isOver = true;
  });
  const one = async (base: string | undefined) => {
    while (!isOver) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const text = body.replaceAll('#', String(++sent));
      try {
        const signal = isStream ? AbortSignal.timeout(500) : null;
        const answer = await request(base + path, {
          dispatcher,
          method,
          headers,
          body: text,
          signal,
        });
        counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
        let first: string | undefined;
        for await (const chunk of answer.body as AsyncIterable<Buffer>)
          first ??= chunk.toString('utf8', 0, 200);
        if (answer.statusCode === 200 && first?.includes('"errors"'))
          counts.errors = (counts.errors ?? 0) + 1;
        if (answer.statusCode === 429 || answer.statusCode === 503) await delay(10);
      } catch (error) {
        if (isStream && (error as Error).name === 'TimeoutError') continue;
        counts.broken = (counts.broken ?? 0) + 1;
        await delay(10);
      }
    }
  };
  const cpu = process.threadCpuUsage();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, index) => one(bases[index % bases.length])),
  );
  const { user, system } = process.threadCpuUsage(cpu);
  parentPort?.postMessage({ counts, cpu: (user + system) / 1000 / (performance.now() - started) });
  await dispatcher.destroy();
}

if (!isMainThread) await attack(workerData as Attack);
