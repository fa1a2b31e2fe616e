/**
 * Where the server's processor time goes during an operation: the functions with most time of their
 * own, and the packages.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaveServerCore } from '../machine.js';
import { type Operation, operations } from '../operations.js';
import type { Options } from '../options.js';
import { type Profile, selfTimes } from '../report/profile.js';
import type { Say } from '../seed/seed.js';
import { lanyard } from '../servers.js';
import { inSession, type Session } from '../session.js';

const shown = 20;
/** Milliseconds of load before what counts, for the compiler to be done. */
const warmUp = 3000;

export async function profile(
  { scale, only, lanes, round, rounds }: Options,
  say: Say,
): Promise<void> {
  leaveServerCore();
  await inSession(scale, say, async (session) => {
    for (const operation of operations.filter(({ name }) => only.includes(name))) {
      const { functions, packages } = await profileOf(session, operation, lanes, round * rounds);
      say(`\n${operation.name}: functions by time of their own`);
      for (const { name, share } of functions.slice(0, shown))
        say(`${(100 * share).toFixed(1).padStart(6)} %  ${name}`);
      say(`${operation.name}: packages`);
      for (const { name, share } of packages.slice(0, shown))
        say(`${(100 * share).toFixed(1).padStart(6)} %  ${name}`);
    }
  });
}

async function profileOf(
  session: Session,
  operation: Operation,
  lanes: number,
  milliseconds: number,
) {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-profile-'));
  try {
    const server = await session.start(lanyard, {
      nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${directory}`],
    });
    await session.measure(operation, server, { milliseconds: warmUp, lanes });
    await session.measure(operation, server, { milliseconds, lanes });
    const ended = performance.now();
    await session.stop(server);
    const tail = performance.now() - ended;
    const [file = ''] = readdirSync(directory);
    return selfTimes(JSON.parse(readFileSync(join(directory, file), 'utf8')) as Profile, {
      tail,
      length: milliseconds,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
