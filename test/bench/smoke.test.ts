/** The benchmark's harness on a tiny database: it starts, the floor answers as Lanyard does, and every operation gets its figures. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
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

process.env.LANYARD_BENCH_POSTGRES = process.env.LANYARD_TEST_POSTGRES;
after(() => delete process.env.LANYARD_BENCH_POSTGRES);

const options = readOptions(['--scale', '0.01', '--round', '10', '--rounds', '2', '--lanes', '4']);

test('every operation is answered alike by Lanyard and the floor, and measured', () =>
  inSession(
    options.scale,
    () => {},
    async (session: Session) => {
      const servers = await session.startAll(['lanyard', 'floor']);
      for (const operation of operations) {
        const able = await checkAnswers(session, operation, servers);
        assert.equal(able.length, 2, operation.name);
        const comparison = await compare(session, operation, able, options);
        for (const { requests, rate, perCpu } of comparison.figures) {
          assert.ok(requests > 0, operation.name);
          assert.ok(rate.least > 0 && perCpu.least > 0, operation.name);
        }
        assert.deepEqual(
          comparison.ratios.map(({ to }) => to),
          ['floor'],
        );
        for (const cells of cellsOf(comparison)) assert.equal(cells.length, headings.length);
      }
      await assertDifferenceIsSeen(session, servers);
    },
  ));

/** Another record than the one asked for must not pass for an answer. */
async function assertDifferenceIsSeen(session: Session, servers: readonly Server[]): Promise<void> {
  const [getOne] = operations;
  const ask = getOne?.asks.lanyard;
  assert.ok(getOne && ask);
  let asked = 0;
  const astray = {
    ...getOne,
    asks: { lanyard: (...[, world]: Parameters<typeof ask>) => ask(world.samples[asked++ % 97] ?? assert.fail(), world, 0) },
  };
  await assert.rejects(checkAnswers(session, astray, servers), /floor answers get-one otherwise/);
}

describe('the command line', () => {
  test('says what is wrong', () => {
    assert.throws(
      () => readOptions(['--only', 'get-one,get-two']),
      new OptionError(`There is no get-two; there are ${operations.map(({ name }) => name).join(', ')}.`),
    );
    assert.throws(() => readOptions(['--rounds', '0']), OptionError);
    assert.throws(() => readOptions(['--memory', '--growth']), /One of/);
    assert.throws(() => readOptions(['--fast']), OptionError);
  });

  test('quick means fewer and shorter rounds', () => {
    const [quick, usual] = [readOptions(['--quick']), readOptions([])];
    assert.ok(quick.round * quick.rounds < (usual.round * usual.rounds) / 4);
  });
});

test('the plot shows every ratio, cut to its axis', () => {
  const ratio = { median: 1.5, least: 0.001, most: 999 };
  const comparisons = [{ operation: 'get-one', figures: [], ratios: [{ to: 'floor', atEqualCpu: ratio, rate: ratio }] }];
  const svg = draw({ ...circumstances(options, 'anywhere'), comparisons });
  assert.match(svg, />get-one<\/text>/);
  assert.match(svg, />1\.50<\/text>/);
  assert.match(svg, /<line class="range" x1="150\.0" x2="680\.0"/);
});

test('a spread has the median between the least and the most', () => {
  assert.deepEqual(spreadOf([4, 1, 3]), { median: 3, least: 1, most: 4 });
  assert.deepEqual(spreadOf([4, 1, 3, 2]), { median: 2.5, least: 1, most: 4 });
});

test('a profile counts the busy time of the load, by function and package', () => {
  const frame = (id: number, functionName: string, url: string) => ({ id, callFrame: { functionName, url, lineNumber: 4 } });
  const nodes = [
    frame(1, 'boot', '/x/dist/src/main.js'),
    frame(2, 'read', '/x/node_modules/@scope/pkg/a.js'),
    frame(3, '(idle)', ''),
    frame(4, 'send', 'node:net'),
  ];
  const profile = { nodes, samples: [1, 2, 4, 3, 2, 3], timeDeltas: [9000, 500, 1000, 4000, 1500, 7000] };
  const { functions, packages } = selfTimes(profile, { tail: 7, length: 7 });
  assert.deepEqual(packages, [
    { name: '@scope/pkg', share: 2000 / 3000 },
    { name: 'node', share: 1000 / 3000 },
  ]);
  assert.match(functions[0]?.name ?? '', /^read +@scope\/pkg a\.js:5$/);
});
