/** The command line: `lanyard serve`, `migrate`, `org create`, … */
import { existsSync, readFileSync } from 'node:fs';
import { commands } from './commands/table.js';
import { readConfig, readEnvFile } from './config.js';
import type { Answer } from './operator/answer.js';
import { readCall } from './operator/call.js';
import { report } from './operator/failure.js';
import { listenForSignals } from './operator/interrupt.js';
import { Progress } from './operator/progress.js';
import { type Command, type Environment, jsonFlag, parseArguments } from './operator/usage.js';

const words = process.argv.slice(2);

/** Help in a pipe is as wide as a page. */
const helpColumns = process.stdout.columns || 100;

async function main(): Promise<void> {
  const called = readCall(commands, words, helpColumns);
  if ('help' in called) process.stdout.write(called.help);
  else await run(called.name, called.command, called.args);
}

async function run(name: string, command: Command, args: readonly string[]): Promise<void> {
  const values = parseArguments(name, command, args);
  const environment = readEnvironment();
  const progress = new Progress(process.stderr, values.json === 'true');
  const given = {
    environment,
    get config() {
      return readConfig(environment);
    },
    values,
    tell: progress.tell,
    signal: command.isLong ? listenForSignals() : new AbortController().signal,
  };
  try {
    const answer = await command.run(given);
    progress.clear();
    if (answer) print(answer, values.json === 'true');
  } catch (error) {
    progress.clear();
    throw error;
  }
}

function print({ text, json, exitCode = 0 }: Answer, asJson: boolean): void {
  const { isTTY, columns } = process.stdout;
  const screen = { columns: isTTY ? columns : undefined, hasStyles: isTTY && process.stdout.hasColors() && !process.env.NO_COLOR };
  process.stdout.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : typeof text === 'string' ? text : text(screen));
  process.exitCode = exitCode;
}

function readEnvironment(): Environment {
  const file = existsSync('.env') && process.env.NODE_ENV !== 'production' ? readEnvFile(readFileSync('.env', 'utf8')) : {};
  // OpenTelemetry's SDK reads its own from the process.
  for (const [name, value] of Object.entries(file)) if (name.startsWith('OTEL_')) process.env[name] ??= value;
  return { ...file, ...process.env };
}

// Whoever reads has seen enough: `lanyard user list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

main().catch((error: unknown) => {
  const { text, exitCode } = report(error, words.includes(jsonFlag));
  process.stderr.write(text);
  // Timers and connections that a failed start left open would keep the process alive, and whoever restarts it waiting.
  process.exit(exitCode);
});
