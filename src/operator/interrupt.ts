/** Ctrl-C and SIGTERM during long work: what is under way ends whole, then the command says how far it got. */
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

/** Long work ended early because somebody asked for it; the message says how far it is, and how to go on. */
export class Interrupted extends Error {
  constructor(
    readonly by: Signal,
    message: string,
  ) {
    super(message);
  }
}

/** As shells count: 130 for SIGINT, 143 for SIGTERM. */
export const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/** npm passes on the SIGINT that the terminal sent already: a second one so soon is the same. Milliseconds. */
const sameSignal = 1000;

/** @returns Aborted by the first signal, with its name as the reason. A second one ends the process at once. */
export function listenForSignals(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  for (const signal of signals) {
    process.on(signal, () => {
      if (!controller.signal.aborted) {
        first = performance.now();
        controller.abort(signal);
      } else if (signal === 'SIGTERM' || performance.now() - first > sameSignal) process.exit(exitCodeOf(signal));
    });
  }
  return controller.signal;
}

/** Call it between two steps. @throws {Interrupted} when the signal came. */
export function stopIfAsked(signal: AbortSignal, message: () => string): void {
  if (signal.aborted) throw new Interrupted(signal.reason, message());
}
