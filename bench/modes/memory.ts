/** Memory at rest, under the load of lists, and over minutes of everything. */
import { setTimeout as delay } from 'node:timers/promises';
import { leaveServerCore, residentOf } from '../machine.js';
import { type Operation, operations } from '../operations.js';
import type { Options } from '../options.js';
import { short } from '../report/table.js';
import { spreadOf } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import { lanyard, type Server } from '../servers.js';
import { inSession, type Session } from '../session.js';

/** Milliseconds. */
const rest = 3000;
const glance = 250;
const listLoad = 20_000;
const turn = 1000;

const named = (name: string): Operation =>
  operations.find((operation) => operation.name === name) as Operation;

/** Megabytes, looked at while something goes on. */
async function watch(server: Server, work: Promise<unknown>): Promise<number[]> {
  const seen: number[] = [];
  const timer = setInterval(() => seen.push(residentOf(server.pid)), glance);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return seen;
}

export async function memory({ scale, lanes, minutes, only }: Options, say: Say): Promise<void> {
  leaveServerCore();
  await inSession(scale, say, async (session) => {
    const server = await session.start(lanyard);
    await delay(rest);
    say(`at rest: ${short(residentOf(server.pid))} MB`);
    for (const list of ['list-50', 'list-200', 'graphql-list-50']) {
      const seen = await watch(
        server,
        session.measure(named(list), server, { milliseconds: listLoad / 4, lanes }),
      );
      say(`under ${list}: at most ${short(Math.max(...seen))} MB`);
    }
    const mixed = operations.filter(({ name }) => only.includes(name));
    const thirds = await mixedLoad(session, server, mixed, lanes, minutes, say);
    const [, second = Number.NaN, third = Number.NaN] = thirds;
    say(
      `${minutes} minutes of mixed load: medians of the thirds ${thirds.map(short).join(', ')} MB; the last to the middle one ${short(third / second)}`,
    );
  });
}

/** @returns The median in each third of the time. */
async function mixedLoad(
  session: Session,
  server: Server,
  mixed: readonly Operation[],
  lanes: number,
  minutes: number,
  say: Say,
): Promise<number[]> {
  const started = performance.now();
  const total = minutes * 60_000;
  const thirds: number[][] = [[], [], []];
  let told = 0;
  for (let index = 0; performance.now() - started < total; index++) {
    const operation = mixed[index % mixed.length] as Operation;
    const third = Math.min(2, Math.floor(((performance.now() - started) / total) * 3));
    const seen = await watch(
      server,
      session.measure(operation, server, { milliseconds: turn, lanes }),
    );
    thirds[third]?.push(...seen);
    const passed = Math.floor((performance.now() - started) / 60_000);
    if (passed > told) say(`after ${passed} minutes: ${short(seen.at(-1) ?? Number.NaN)} MB`);
    told = passed;
  }
  return thirds.map((seen) => spreadOf(seen).median);
}
