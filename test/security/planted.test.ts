/** The faults of planted.ts fit the code; whether the tests see them is a run of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { faults } from './generated/faults.js';
import { holes } from './holes.js';

const planted = Object.entries({ ...holes, ...faults });

test('each text to replace stands exactly once in its file', () => {
  const wrong = planted.filter(([, { file, text }]) => {
    const path = join(packageRoot, 'dist', 'src', file);
    return !existsSync(path) || readFileSync(path, 'utf8').split(text).length !== 2;
  });
  expect(wrong.map(([name, { file }]) => `${file}: ${name}`)).toEqual([]);
  expect(planted.length).toBeGreaterThan(100);
});

test('each is seen by a test file that is there', () => {
  const missing = planted.filter(
    ([, { seenBy }]) => !existsSync(join(packageRoot, 'test', 'security', seenBy)),
  );
  expect(missing.map(([name, { seenBy }]) => `${seenBy}: ${name}`)).toEqual([]);
});
