/**
 * Ctrl-C and SIGTERM in long-running commands: the current step finishes, then the command reports
 * its progress.
 */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

/** A signal ended long-running work; the message reports the progress and how to continue. */
export class Interrupted extends Error {
  constructor(
    readonly by: Signal,
    message: string,
  ) {
    super(message);
  }
}

/** By shell convention: 130 for SIGINT, 143 for SIGTERM. */
export const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/**
 * npm forwards the SIGINT that the terminal sent already. A second one within these milliseconds is
 * the same.
 */
const sameSignal = 1000;

/**
 * @returns Aborted by the first signal, with its name as the reason. A second signal ends the
 * process immediately.
 */
export function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        first = performance.now();
        controller.abort(signal);
      } else if (signal === 'SIGTERM' || performance.now() - first > sameSignal)
        process.exit(exitCodeOf(signal));
    });
  }
  return controller.signal;
}

/** Call it between two steps. @throws {Interrupted} after a signal. */
export function stopIfAsked(signal: AbortSignal, message: () => string): void {
  if (signal.aborted) throw new Interrupted(signal.reason, message());
}
