/**
 * Reads on a fixed schedule at half of what saturates a server and its PostgreSQL: what a caller
 * waits who doesn't wait for others. The floor takes turns with Lanyard, and so does a server that
 * answers at once, asked as often as Lanyard: what machine and load take is part of what all of
 * them show.
 */
import { quantile } from '../load/loader.js';
import { leaveServerCore, stallsOfCores, watchCores } from '../machine.js';
import { type Operation, operations } from '../operations.js';
import type { Options } from '../options.js';
import { lineOf, short } from '../report/table.js';
import { spreadOf, warmUp } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import type { Server } from '../servers.js';
import { inSession, type Measured, type Session } from '../session.js';

/** Connections for the schedule: enough that none waits for another. */
const connections = 64;

const columns = [18, 10, 10, 8, 8, 18, 14];
const headings = ['operation', 'server', 'offered/s', 'p50 ms', 'p99 ms', 'p99/p50', 'late p99 ms'];

export async function latency(options: Options, say: Say): Promise<void> {
  say(await stallsOfCores());
  say(leaveServerCore());
  await inSession(options.scale, say, async (session) => {
    say(session.moveDatabase());
    say(lineOf(headings, columns));
    const [own, floor, nothing] = (await session.startAll(['lanyard', 'floor', 'nothing'])) as [
      Server,
      Server,
      Server,
    ];
    for (const operation of operations.filter(
      ({ name, isWrite }) => options.only.includes(name) && !isWrite,
    )) {
      await warmUp(session, operation, [own, floor, nothing], options);
      const rate = await halfOfSaturation(session, operation, own, options);
      const all = [
        { server: own, rate },
        { server: floor, rate: await halfOfSaturation(session, operation, floor, options) },
        { server: nothing, rate },
      ].map((each) => ({ ...each, rounds: [] as Measured[] }));
      for (let turn = 0; turn < options.rounds; turn++) {
        for (const { server, rate, rounds } of turn % 2 === 0 ? all : all.toReversed())
          rounds.push(
            await session.measure(operation, server, {
              ...scheduled(options),
              lanes: connections,
              rate,
            }),
          );
      }
      for (const { server, rate, rounds } of all)
        say(
          lineOf([operation.name, server.variant.name, short(rate), ...cellsOf(rounds)], columns),
        );
    }
  });
}

/**
 * A third of a round goes ahead and doesn't count: a server that waited for its turn opens all
 * these connections at once and has its caches to fill, and what piles up meanwhile is no answer to
 * how long a caller waits at a steady rate.
 */
const scheduled = ({ round }: Options) => ({ milliseconds: 3 * round, leadIn: round });

/** How often the schedule is set right. */
const corrections = 3;

/**
 * The rate at which the busiest core is busy for half of the time. On a schedule a request costs
 * more than in a loop that is closed, where many share what they do, so half of the rate there can
 * be most of what goes.
 */
async function halfOfSaturation(
  session: Session,
  operation: Operation,
  server: Server,
  options: Options,
): Promise<number> {
  const { answered, milliseconds } = await session.measure(operation, server, {
    milliseconds: options.round,
    lanes: options.lanes,
  });
  let rate = (answered / milliseconds) * 500;
  for (let correction = 0; correction < corrections; correction++) {
    const busy = watchCores();
    await session.measure(operation, server, {
      milliseconds: options.round,
      lanes: connections,
      rate,
    });
    rate *= Math.min(1, 0.5 / busy());
  }
  return rate;
}

/** Medians of the rounds; of their ratios the least and the most, too. */
function cellsOf(rounds: readonly Measured[]): string[] {
  const at = (part: number) => (round: Measured) => quantile(round.latencies, part);
  const median = (figure: (round: Measured) => number) =>
    short(spreadOf(rounds.map(figure)).median);
  const ratio = spreadOf(rounds.map((round) => at(0.99)(round) / at(0.5)(round)));
  return [
    median(at(0.5)),
    median(at(0.99)),
    `${short(ratio.median)} (${short(ratio.least)}–${short(ratio.most)})`,
    median(({ lateness }) => quantile(lateness, 0.99)),
  ];
}
