/** Runs `lanyard doctor` as an operator does, and reads what it says. */
import type { Diagnosis } from '../../src/cli/doctor/command.js';
import { runLanyard } from '../support/server.js';

export async function runDoctor(
  environment: Record<string, string>,
): Promise<Diagnosis & { readonly code: number | null }> {
  const { ended, output } = runLanyard(['doctor', '--json'], environment);
  const code = await ended;
  if (!output.stdout) throw new Error(output.stderr);
  return { code, ...JSON.parse(output.stdout) };
}

/** `warning disk` for each that isn't ok, once. */
export const problemsOf = ({ checks }: Diagnosis): string[] =>
  [
    ...new Set(
      checks.filter(({ level }) => level !== 'ok').map(({ level, check }) => `${level} ${check}`),
    ),
  ].sort();

export const remediesOf = ({ checks }: Diagnosis): string =>
  checks.map(({ remedy = '' }) => remedy).join('\n');
