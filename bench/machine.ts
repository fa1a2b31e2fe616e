/**
 * Processor time, memory and cores of processes, as Linux tells them; elsewhere they are not known.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Milliseconds of processor time that a process has used, all of its threads. */
function timeOf(pid: number): number {
  try {
    const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
      Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch {
    return 0;
  }
}

/** The children of a process; those of PostgreSQL serve a connection each. */
const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);

export const isKnown = process.platform === 'linux';

/**
 * Milliseconds of processor time that processes have used so far, by process, so that a difference
 * is of those that live on.
 */
export const timesOf = (pids: readonly number[]): Map<number, number> =>
  new Map(pids.map((pid) => [pid, timeOf(pid)]));

export const withChildren = (pid: number | undefined): number[] =>
  pid === undefined ? [] : [pid, ...childrenOf(pid)];

/** Milliseconds used since an earlier look. A process that came since counts whole. */
export function usedSince(before: ReadonlyMap<number, number>, pids: readonly number[]): number {
  let sum = 0;
  for (const [pid, time] of timesOf(pids)) sum += time - (before.get(pid) ?? 0);
  return sum;
}

/** Megabytes (of a million bytes) that a process keeps in memory. */
export const residentOf = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1] ?? Number.NaN) * 1024) / 1e6;

const timesOfCores = (): { idle: number; all: number }[] =>
  cpus().map(({ times }) => ({
    idle: times.idle,
    all: Object.values(times).reduce((sum, each) => sum + each, 0),
  }));

/**
 * Begins to look at the cores. @returns What tells which part of the time since then the busiest of
 * them was busy.
 */
export function watchCores(): () => number {
  const before = timesOfCores();
  return () =>
    Math.max(
      ...timesOfCores().map(
        ({ idle, all }, core) =>
          1 - (idle - (before[core]?.idle ?? 0)) / (all - (before[core]?.all ?? 0)),
      ),
    );
}

/** Whether servers can have a core of their own, beside one for everything else. */
const canPin =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['--version']).status === 0;

/** The command that runs a program on some cores: `0`, `0,1`. */
export const pinned = (
  cores: string,
  program: string,
  args: readonly string[],
): [program: string, args: string[]] =>
  canPin ? ['taskset', ['--cpu-list', cores, program, ...args]] : [program, [...args]];

/** Moves this process, and those that it starts from here on, away from the core of the servers. */
export function leaveServerCore(): string {
  if (!canPin) return 'server, load and PostgreSQL share all cores';
  const others = availableParallelism() > 2 ? `1-${availableParallelism() - 1}` : '1';
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', others, String(process.pid)]);
  return `server on core 0; load and PostgreSQL on ${others}`;
}

/**
 * Moves processes to the core of the servers where there is only one other, which who measures has
 * then to itself.
 */
export function joinServerCore(pids: readonly number[]): string {
  if (!canPin || availableParallelism() > 2 || pids.length === 0)
    return 'PostgreSQL shares with the load';
  for (const pid of pids)
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)]);
  return 'PostgreSQL goes to core 0, too: the load waits for nobody';
}

/**
 * How the machine itself holds up whatever runs on it: nothing can be measured that is quicker than
 * that. Takes ten seconds.
 */
export async function stallsOfCores(): Promise<string> {
  const program = fileURLToPath(new URL('./stalls.js', import.meta.url));
  const cores = ['0', '1'].slice(0, availableParallelism());
  const runs = cores.map(async (core) => {
    const { stdout } = await promisify(execFile)(...pinned(core, process.execPath, [program]));
    return `core ${core} ${stdout}`;
  });
  return `Held up with nothing to do: ${(await Promise.all(runs)).join('; ')}.`;
}
