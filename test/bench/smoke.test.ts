/**
 * The benchmark's harness on a tiny database: it starts, the floor answers as Lanyard does, and
 * every operation gets its figures.
 */
import { checkAnswers } from '../../bench/check.js';
import { operations } from '../../bench/operations.js';
import { OptionError, readOptions } from '../../bench/options.js';
import { draw } from '../../bench/plot.js';
import { selfTimes } from '../../bench/report/profile.js';
import { cellsOf, headings } from '../../bench/report/table.js';
import { circumstances } from '../../bench/report/write.js';
import { compare, spreadOf } from '../../bench/rounds.js';
import type { Server } from '../../bench/servers.js';
import { inSession, type Session } from '../../bench/session.js';
import { ensure, fail } from '../support/expect.js';

process.env.LANYARD_BENCH_POSTGRES = process.env.LANYARD_TEST_POSTGRES;
afterAll(() => delete process.env.LANYARD_BENCH_POSTGRES);

const options = readOptions(['--scale', '0.01', '--round', '10', '--rounds', '2', '--lanes', '4']);

const minutes = 60_000;

test(
  'every operation is answered alike by Lanyard and the floor, and measured',
  () =>
    inSession(
      options.scale,
      () => {},
      async (session: Session) => {
        const servers = await session.startAll(['lanyard', 'floor']);
        for (const operation of operations) {
          const able = await checkAnswers(session, operation, servers);
          expect([operation.name, able.length]).toStrictEqual([operation.name, 2]);
          const comparison = await compare(session, operation, able, options);
          for (const { requests, rate, perCpu } of comparison.figures) {
            ensure(requests > 0, operation.name);
            ensure(rate.least > 0 && perCpu.least > 0, operation.name);
          }
          expect(comparison.ratios.map(({ to }) => to)).toEqual(['floor']);
          for (const cells of cellsOf(comparison)) expect(cells).toHaveLength(headings.length);
        }
        await assertDifferenceIsSeen(session, servers);
      },
    ),
  10 * minutes,
);

/** Another record than the one asked for must not pass for an answer. */
async function assertDifferenceIsSeen(session: Session, servers: readonly Server[]): Promise<void> {
  const [getOne] = operations;
  const ask = getOne?.asks.lanyard;
  ensure(getOne && ask);
  let asked = 0;
  const astray = {
    ...getOne,
    asks: {
      lanyard: (...[, world]: Parameters<typeof ask>) =>
        ask(world.samples[asked++ % 97] ?? fail(), world, 0),
    },
  };
  await expect(checkAnswers(session, astray, servers)).rejects.toThrow(
    /floor answers get-one otherwise/,
  );
}

test(
  'a delay is added to each round trip between server and PostgreSQL',
  () =>
    inSession(
      options.scale,
      () => {},
      async (session) => {
        const [server] = await session.startAll(['floor']);
        const operation = operations.find(({ name }) => name === 'get-one') ?? fail();
        const { latencies } = await session.measure(operation, server ?? fail(), {
          milliseconds: 500,
          lanes: 1,
        });
        // Authentication and the record are a round trip each.
        ensure(latencies.length > 0 && Math.min(...latencies) >= 40, String(latencies));
      },
      20,
    ),
  minutes,
);

describe('the command line', () => {
  test('says what is wrong', () => {
    expect(() => readOptions(['--only', 'get-one,get-two'])).toThrow(
      new OptionError(
        `There is no get-two; there are ${operations.map(({ name }) => name).join(', ')}.`,
      ),
    );
    expect(() => readOptions(['--rounds', '0'])).toThrow(OptionError);
    expect(() => readOptions(['--memory', '--growth'])).toThrow(/One of/);
    expect(() => readOptions(['--fast'])).toThrow(OptionError);
  });

  test('quick means fewer and shorter rounds', () => {
    const [quick, usual] = [readOptions(['--quick']), readOptions([])];
    expect(quick.round * quick.rounds).toBeLessThan((usual.round * usual.rounds) / 4);
  });
});

test('the plot shows every ratio, cut to its axis', () => {
  const ratio = { median: 1.5, least: 0.001, most: 999 };
  const comparisons = [
    {
      operation: 'get-one',
      figures: [],
      ratios: [{ to: 'floor', atEqualCpu: ratio, rate: ratio }],
    },
  ];
  const svg = draw({ ...circumstances(options, 'anywhere'), comparisons });
  expect(svg).toMatch(/>get-one<\/text>/);
  expect(svg).toMatch(/>1\.50<\/text>/);
  expect(svg).toMatch(/<line class="range" x1="150\.0" x2="680\.0"/);
});

test('a spread has the median between the least and the most', () => {
  expect(spreadOf([4, 1, 3])).toStrictEqual({ median: 3, least: 1, most: 4 });
  expect(spreadOf([4, 1, 3, 2])).toStrictEqual({ median: 2.5, least: 1, most: 4 });
});

test('a profile counts the busy time of the load, by function and package', () => {
  const frame = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, lineNumber: 4 },
  });
  const nodes = [
    frame(1, 'boot', '/x/dist/src/main.js'),
    frame(2, 'read', '/x/node_modules/@scope/pkg/a.js'),
    frame(3, '(idle)', ''),
    frame(4, 'send', 'node:net'),
  ];
  const profile = {
    nodes,
    samples: [1, 2, 4, 3, 2, 3],
    timeDeltas: [9000, 500, 1000, 4000, 1500, 7000],
  };
  const { functions, packages } = selfTimes(profile, { tail: 7, length: 7 });
  expect(packages).toStrictEqual([
    { name: '@scope/pkg', share: 2000 / 3000 },
    { name: 'node', share: 1000 / 3000 },
  ]);
  expect(functions[0]?.name ?? '').toMatch(/^read +@scope\/pkg a\.js:5$/);
});
