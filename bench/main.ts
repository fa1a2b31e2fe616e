/** `npm run bench`: see bench/README.md. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/root.js';
import { leaveServerCore } from './machine.js';
import { compareAll } from './modes/compare.js';
import { growth } from './modes/growth.js';
import { latency } from './modes/latency.js';
import { memory } from './modes/memory.js';
import { processes } from './modes/processes.js';
import { profile } from './modes/profile.js';
import { starts } from './modes/start.js';
import { operations } from './operations.js';
import { type Mode, OptionError, type Options, readOptions } from './options.js';
import { headings, lineOf } from './report/table.js';
import { circumstances, writeResults } from './report/write.js';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The peers' dependencies are theirs alone, and come when they are first needed. */
function installPeers({ variants }: Options): void {
  const folder = join(packageRoot, 'bench', 'peers');
  if (
    !variants.includes('postgraphile') ||
    existsSync(join(folder, 'node_modules', 'postgraphile'))
  )
    return;
  say('Installing the peers …');
  execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'], {
    stdio: 'inherit',
  });
}

async function compare(options: Options): Promise<void> {
  installPeers(options);
  const about = circumstances(options, leaveServerCore());
  say(
    `${about.commit}, node ${about.node}, ${about.placement}, average load ${about.load.toFixed(2)}\n${lineOf(headings)}`,
  );
  const comparisons = await compareAll(options, say);
  const isWhole =
    !options.isQuick && options.only.length === operations.length && options.delay === 0;
  if (isWhole) say(`Written to ${writeResults({ ...about, comparisons })}`);
}

const run: Readonly<Record<Mode, (options: Options, tell: typeof say) => Promise<void>>> = {
  compare,
  latency,
  growth,
  memory,
  start: starts,
  processes,
  profile,
};

try {
  const options = readOptions(process.argv.slice(2));
  await run[options.mode](options, say);
} catch (error) {
  process.stderr.write(
    `${error instanceof OptionError ? error.message : (error as Error).stack}\n`,
  );
  process.exitCode = 1;
}
