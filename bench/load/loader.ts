/** The load generator as the benchmark uses it: a process of its own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load, Outcome } from './protocol.js';

/**
 * Room enough that the generator hardly ever makes a full collection. Each takes 12 to 25 ms, and
 * V8 throws away what it compiled around objects that are gone: one between any two loads had every
 * load begin with compiling, which was most of the latency that it measured.
 */
const flags = ['--max-semi-space-size=4', '--initial-old-space-size=512'];

export class Loader {
  private constructor(private readonly child: ChildProcess) {}

  static start(): Loader {
    return new Loader(
      fork(new URL('./generator.js', import.meta.url), {
        serialization: 'advanced',
        execArgv: flags,
      }),
    );
  }

  /** @throws when a request failed: what is answered otherwise is no measurement. */
  async run(load: Load): Promise<Outcome> {
    this.child.send(load);
    const [outcome] = (await once(this.child, 'message')) as [Outcome];
    if (outcome.failed > 0)
      throw new Error(
        `${outcome.failed} of ${outcome.answered} requests failed: ${outcome.firstFailure}`,
      );
    return outcome;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}

/** The value below which a part of the sorted values lies. */
export const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
