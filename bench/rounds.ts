/** Rounds of each server by turns, and what they say of each other. */
import { quantile } from './load/loader.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import type { Server } from './servers.js';
import type { Measured, Session } from './session.js';

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** What one server did with one operation. */
export interface Figures {
  readonly variant: string;
  /** Requests a second. */
  readonly rate: Spread;
  /** Requests for each second of the server's processor time. */
  readonly perCpu: Spread;
  /** Milliseconds of processor time for each request. */
  readonly serverCpu: Spread;
  readonly databaseCpu: Spread;
  /** Milliseconds, in the closed loop. */
  readonly p50: Spread;
  readonly p99: Spread;
  readonly requests: number;
}

/** The first server against another, round by round: above 1 the first is faster. */
export interface Ratio {
  readonly to: string;
  /** At equal processor time of the server. */
  readonly atEqualCpu: Spread;
  readonly rate: Spread;
}

export interface Comparison {
  readonly operation: string;
  readonly figures: readonly Figures[];
  readonly ratios: readonly Ratio[];
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median =
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

const rateOf = ({ answered, milliseconds }: Measured): number => (answered / milliseconds) * 1000;
const perCpuOf = ({ answered, server }: Measured): number => (answered / server) * 1000;

/** Turns that servers may take to get warm. */
const maxWarmUps = 10;

type Taken = (server: Server, round: Measured) => void;

/**
 * One round of each server: forwards, then backwards in the next turn, so that what drifts meets
 * all of them alike.
 */
async function takeTurn(
  session: Session,
  operation: Operation,
  servers: readonly Server[],
  turn: number,
  { lanes, round }: Options,
  taken: Taken,
): Promise<void> {
  for (const server of turn % 2 === 0 ? servers : servers.toReversed())
    taken(server, await session.measure(operation, server, { milliseconds: round, lanes }));
}

/**
 * Turns that don't count, until each server has answered ten requests for each millisecond of a
 * round: a service runs for weeks, and what runs often is compiled well by then. By turns, since a
 * server that waits for others to get warm loses some of it.
 */
export async function warmUp(
  session: Session,
  operation: Operation,
  servers: readonly Server[],
  options: Options,
): Promise<void> {
  const answered = new Map(servers.map((server) => [server, 0]));
  const isWarm = () => [...answered.values()].every((count) => count >= 10 * options.round);
  for (let turn = 0; turn < maxWarmUps && !isWarm(); turn++)
    await takeTurn(session, operation, servers, turn, options, (server, round) => {
      answered.set(server, (answered.get(server) ?? 0) + round.answered);
    });
}

export async function compare(
  session: Session,
  operation: Operation,
  servers: readonly Server[],
  options: Options,
): Promise<Comparison> {
  const measured = new Map<Server, Measured[]>(servers.map((server) => [server, []]));
  await warmUp(session, operation, servers, options);
  for (let turn = 0; turn < options.rounds; turn++)
    await takeTurn(session, operation, servers, turn, options, (server, round) =>
      measured.get(server)?.push(round),
    );
  const [first, ...others] = servers.map((server) => ({
    variant: server.variant.name,
    rounds: measured.get(server) ?? [],
  }));
  return {
    operation: operation.name,
    figures: [first, ...others].flatMap((each) =>
      each ? [figuresOf(each.variant, each.rounds)] : [],
    ),
    ratios: others.map(({ variant, rounds }) => ({
      to: variant,
      atEqualCpu: ratiosOf(first?.rounds ?? [], rounds, perCpuOf),
      rate: ratiosOf(first?.rounds ?? [], rounds, rateOf),
    })),
  };
}

const ratiosOf = (
  some: readonly Measured[],
  others: readonly Measured[],
  figure: (round: Measured) => number,
): Spread =>
  spreadOf(
    some.flatMap((round, index) => (others[index] ? [figure(round) / figure(others[index])] : [])),
  );

const figuresOf = (variant: string, rounds: readonly Measured[]): Figures => ({
  variant,
  rate: spreadOf(rounds.map(rateOf)),
  perCpu: spreadOf(rounds.map(perCpuOf)),
  serverCpu: spreadOf(rounds.map(({ server, answered }) => server / answered)),
  databaseCpu: spreadOf(rounds.map(({ database, answered }) => database / answered)),
  p50: spreadOf(rounds.map(({ latencies }) => quantile(latencies, 0.5))),
  p99: spreadOf(rounds.map(({ latencies }) => quantile(latencies, 0.99))),
  requests: rounds.reduce((sum, { answered }) => sum + answered, 0),
});
