/** The command line: `lanyard serve`, `migrate`, `org create`, … */
import { existsSync, readFileSync } from 'node:fs';
import { readEnvFile } from '../config.js';
import { listenForSignals } from './interrupt.js';
import { runWords } from './run.js';
import type { Environment } from './usage.js';

function readEnvironment(): Environment {
  const file =
    existsSync('.env') && process.env.NODE_ENV !== 'production'
      ? readEnvFile(readFileSync('.env', 'utf8'))
      : {};
  // OpenTelemetry's SDK reads its own from the process.
  for (const [name, value] of Object.entries(file))
    if (name.startsWith('OTEL_')) process.env[name] ??= value;
  return { ...file, ...process.env };
}

// The reader has closed the pipe: `lanyard user list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const { stdout, stderr } = process;
const { exitCode, hasFailed } = await runWords(process.argv.slice(2), {
  readEnvironment,
  stdout,
  stderr,
  listenForSignals,
});
process.exitCode = exitCode;
// Resources that a failed start left open would keep the process alive, and its supervisor waiting.
if (hasFailed) process.exit();
