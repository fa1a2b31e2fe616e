/** Runs a command line, for the process or a test. */
import { type Config, readConfig } from '../config.js';
import { readCall } from './call.js';
import { commands } from './command-table.js';
import { report } from './failure.js';
import type { CommandOutput } from './output/command-output.js';
import { Progress, type ProgressStream } from './output/progress.js';
import { type Command, type Environment, type Given, jsonFlag, parseArguments } from './usage.js';

/** The environment of a command. */
export interface Surroundings {
  /** Called when a command runs, but not for help. @throws {ConfigError} */
  readEnvironment(): Environment;
  readonly stdout: ProgressStream & Pick<NodeJS.WriteStream, 'hasColors'>;
  readonly stderr: ProgressStream;
  /** For long-running commands: aborted by a signal. */
  listenForSignals(): AbortSignal;
}

/** Width of help in a pipe. */
const pageColumns = 100;

/**
 * Runs the command of the words after `lanyard`.
 * @returns The exit code, and whether it failed: a failed start may leave timers and connections
 * open.
 */
export async function runWords(
  words: readonly string[],
  around: Surroundings,
): Promise<{ exitCode: number; hasFailed: boolean }> {
  try {
    const called = readCall(commands, words, around.stdout.columns || pageColumns);
    if ('help' in called) around.stdout.write(called.help);
    return {
      exitCode: 'help' in called ? 0 : await run(called.name, called.command, called.args, around),
      hasFailed: false,
    };
  } catch (error) {
    const { text, exitCode } = report(error, words.includes(jsonFlag));
    around.stderr.write(text);
    return { exitCode, hasFailed: true };
  }
}

async function run(
  name: string,
  command: Command,
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  const { stdout, stderr } = around;
  const values = parseArguments(name, command, args);
  const environment = around.readEnvironment();
  const asJson = values.json === 'true';
  const progress = new Progress(stderr, asJson);
  const given: Given = {
    environment,
    get config(): Config {
      return readConfig(environment);
    },
    values,
    notify: progress.notify,
    signal: command.isLong ? around.listenForSignals() : new AbortController().signal,
  };
  const answer = await command.run(given).finally(() => progress.clear());
  if (answer)
    stdout.write(
      asJson ? `${JSON.stringify(answer.json, null, 2)}\n` : textOf(answer, stdout, environment),
    );
  return answer?.exitCode ?? 0;
}

function textOf(
  { text }: CommandOutput,
  stdout: Surroundings['stdout'],
  environment: Environment,
): string {
  if (typeof text === 'string') return text;
  const { isTTY, columns } = stdout;
  return text({
    columns: isTTY ? columns : undefined,
    hasStyles: isTTY && stdout.hasColors() && !environment.NO_COLOR,
  });
}
