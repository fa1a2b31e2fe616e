/**
 * What ten times the data costs: each read against its own time at the smaller scale, its
 * statements' plans, and the last page of a walk against the first.
 */
import { quantile } from '../load/loader.js';
import type { Load } from '../load/protocol.js';
import { leaveServerCore } from '../machine.js';
import { type Operation, operations } from '../operations.js';
import type { Options } from '../options.js';
import { plansOf } from '../plans.js';
import { lineOf, short } from '../report/table.js';
import { spreadOf } from '../rounds.js';
import type { Say } from '../seed/seed.js';
import { lanyard, type Server } from '../servers.js';
import { inSession, type Session } from '../session.js';

const columns = [18, 12, 12, 16, 16, 16];
const factor = 10;

interface Side {
  readonly session: Session;
  readonly server: Server;
}

export async function growth(options: Options, say: Say): Promise<void> {
  leaveServerCore();
  const { scale } = options;
  await inSession(scale, say, (small) =>
    inSession(scale * factor, say, async (large) => {
      const sides: [Side, Side] = [
        { session: small, server: await small.start(lanyard) },
        { session: large, server: await large.start(lanyard) },
      ];
      const reads = operations.filter(
        ({ name, isWrite }) => options.only.includes(name) && !isWrite,
      );
      say(
        lineOf(
          [
            'operation',
            `p50 ms × ${scale}`,
            `× ${scale * factor}`,
            'ratio of p50',
            'ratio of server',
            'ratio of database',
          ],
          columns,
        ),
      );
      for (const operation of reads) say(await compareSides(operation, sides, options));
      for (const { session } of sides) for (const line of await plansOf(session, reads)) say(line);
      for (const side of sides) say(await walk(side, options));
    }),
  );
}

/** One request at a time, so that a time is a request's own. */
async function compareSides(
  operation: Operation,
  sides: readonly [Side, Side],
  { round, rounds }: Options,
): Promise<string> {
  const ratios = { p50: [] as number[], server: [] as number[], database: [] as number[] };
  const medians: [number[], number[]] = [[], []];
  for (let turn = -1; turn < rounds; turn++) {
    const [small, large] = [
      await one(sides[0], operation, round),
      await one(sides[1], operation, round),
    ];
    if (turn < 0) continue;
    for (const key of ['p50', 'server', 'database'] as const)
      ratios[key].push(large[key] / small[key]);
    medians[0].push(small.p50);
    medians[1].push(large.p50);
  }
  const values = [...medians, ratios.p50, ratios.server, ratios.database].map((all) =>
    short(spreadOf(all).median),
  );
  return lineOf([operation.name, ...values], columns);
}

async function one({ session, server: to }: Side, operation: Operation, milliseconds: number) {
  const { latencies, server, database, answered } = await session.measure(operation, to, {
    milliseconds,
    lanes: 1,
  });
  return {
    p50: quantile(latencies, 0.5),
    server: server / answered,
    database: database / answered,
  };
}

/**
 * The biggest organization's certifications, fifty at a time: the first page, and the last full
 * one.
 */
async function walk({ session, server }: Side, { round, rounds }: Options): Promise<string> {
  await session.world.renewTokens();
  const sample = session.world.samples.find(({ isOrdinary }) => !isOrdinary);
  if (!sample) throw new Error('No record of the biggest organization is among the samples.');
  const headers = { authorization: session.world.authorization(sample.manager) };
  const path = `/v1/organizations/${sample.organizationId}/certifications?limit=50`;
  const last = await lastCursor(server.origin + path.replace('limit=50', 'limit=200'), headers);
  const timed = async (at: string) => {
    const load: Load = {
      origins: [server.origin],
      requests: [{ method: 'GET', path: at, headers }],
      from: 0,
      milliseconds: round,
      lanes: 1,
    };
    return quantile((await session.loader.run(load)).latencies, 0.5);
  };
  const ratios: number[] = [];
  for (let turn = -1; turn < rounds; turn++) {
    const [first, end] = [await timed(path), await timed(`${path}&cursor=${last.cursor}`)];
    if (turn >= 0) ratios.push(end / first);
  }
  return `walk of ${last.pages * 200} records: the last page takes ${short(spreadOf(ratios).median)} of the first one's time`;
}

/** Walks to the end. @returns The cursor before the last full page. */
async function lastCursor(
  url: string,
  headers: Record<string, string>,
): Promise<{ cursor: string; pages: number }> {
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const response = await fetch(cursor ? `${url}&cursor=${cursor}` : url, { headers });
    const { page } = (await response.json()) as { page: { next_cursor: string | null } };
    if (!page.next_cursor) return { cursor, pages };
    cursor = page.next_cursor;
  }
}
