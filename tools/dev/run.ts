/** `npm run dev`: compiles and restarts the server when src/, dashboard/ or explorer/ changes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../src/root.js';

const folders = ['src', 'dashboard', 'explorer'] as const;
type Folder = (typeof folders)[number];

/** Milliseconds to wait for further files of an editor or a checkout. */
const settling = 150;

const say = (line: string): void => void process.stdout.write(`dev: ${line}\n`);

const run = (...args: string[]): ChildProcess =>
  spawn(process.execPath, args, { cwd: packageRoot, stdio: 'inherit' });

async function succeeds(...args: string[]): Promise<boolean> {
  const [code] = await once(run(...args), 'close');
  return code === 0;
}

/** Compiles the changes. @returns Whether it succeeded. */
const build = async (changed: ReadonlySet<Folder>): Promise<boolean> =>
  (await succeeds(join('node_modules', 'typescript', 'bin', 'tsc'))) &&
  (!(changed.has('dashboard') || changed.has('explorer')) ||
    (await succeeds(join('dashboard', 'build.mjs'))));

function start(): ChildProcess {
  const server = run(join('dist', 'src', 'main.js'), 'serve');
  server.once(
    'exit',
    (code) => code && say(`the server ended with ${code}; it is started again after a change`),
  );
  return server;
}

/** Waits until its requests have finished, and an embedded PostgreSQL has stopped. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

const changed = new Set<Folder>();
let isStopped = false;
let wake = Promise.withResolvers<void>();

for (const folder of folders) {
  watch(join(packageRoot, folder), { recursive: true }, () => {
    changed.add(folder);
    wake.resolve();
  });
}
// The terminal sends Ctrl-C to the server as well, and npm sends it here again.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true;
    wake.resolve();
  });
}

let server: ChildProcess | undefined = (await succeeds(join('dashboard', 'build.mjs')))
  ? start()
  : undefined;
while (!isStopped) {
  await wake.promise;
  if (isStopped) break;
  await delay(settling);
  wake = Promise.withResolvers();
  const now = new Set(changed);
  changed.clear();
  say(`${[...now].map((folder) => `${folder}/`).join(' and ')} changed`);
  if (!(await build(now))) {
    say('it does not compile: the server stays as it was');
    continue;
  }
  if (isStopped) break;
  if (server) await end(server);
  server = start();
}
if (server) await end(server);
process.exit();
