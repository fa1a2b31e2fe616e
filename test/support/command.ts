/**
 * `lanyard` as an operator calls it, without the second that a process of its own takes to load.
 * What concerns the process itself is for `runLanyard`.
 */
import { runWords } from '../../src/cli/run.js';
import type { Environment } from '../../src/cli/usage.js';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls it with its output in a pipe, and nothing in its environment but what is given. */
export async function callLanyard(
  args: readonly string[],
  environment: Environment,
): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const pipe = (name: keyof typeof output) => ({
    ...{ isTTY: false, columns: 0, hasColors: () => false },
    write(text: string | Uint8Array) {
      output[name] += text;
      return true;
    },
  });
  const { exitCode } = await runWords(args, {
    readEnvironment: () => environment,
    stdout: pipe('stdout'),
    stderr: pipe('stderr'),
    listenForSignals: () => new AbortController().signal,
  });
  return { code: exitCode, ...output };
}
