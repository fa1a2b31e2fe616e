/** The order in which Jest runs the files: test/jest/sequencer.js. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';

interface Test {
  readonly path: string;
}

const { default: Sequencer, longest } = (await import(
  join(packageRoot, 'test/jest/sequencer.js')
)) as {
  readonly default: new (options: object) => { sort(tests: readonly Test[]): Test[] };
  readonly longest: readonly string[];
};
const pathOf = (name: string) => join(packageRoot, 'test', `${name}.test.ts`);
const toTest = (name: string) => ({
  path: pathOf(name),
  context: { config: { id: 'none', cacheDirectory: '/none' }, hasteFS: { getSize: () => 1 } },
});

test('the files that take longest are there', () => {
  expect(longest.filter((name) => !existsSync(pathOf(name)))).toEqual([]);
});

test('they start first, also without the times of a run before', () => {
  const options = { contexts: [], globalConfig: {} };
  const given = ['config', ...longest.toReversed(), 'architecture'].map(toTest);
  const sorted = new Sequencer(options).sort(given).map(({ path }) => path);
  expect(sorted.slice(0, longest.length)).toStrictEqual(longest.map(pathOf));
  expect(sorted).toHaveLength(given.length);
});
