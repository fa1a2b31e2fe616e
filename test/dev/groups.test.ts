/** Test files that share a process: what one does to it is no other's, and none gets lost. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type run } from 'node:test';
import { packageRoot } from '../../src/root.js';
import { groupsOf, writeGroups } from '../support/groups.js';
import { followFiles } from '../support/progress.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-groups-'));
after(() => rmSync(folder, { recursive: true }));

const bodies: Readonly<Record<string, string>> = {
  first: `import { after, beforeEach } from 'node:test';
    beforeEach((t) => { if (t.name !== 'fails') globalThis.seen = t.name; });
    after(() => console.log('first has ended'));
    it('fails', () => assert.fail('on purpose'));`,
  broken: `import './nowhere.js';`,
  second: `it('is alone', () => assert.equal(globalThis.seen, undefined));`,
  leaver: `it('leaves', () => process.exit(0));`,
  last: `it('is never run', () => {});`,
};

/** Runs files with these bodies in one process. */
function runTogether(...names: string[]): Promise<string> {
  const paths = names.map((name) => {
    const path = join(folder, `${name}.js`);
    writeFileSync(path, `import assert from 'node:assert';\nimport { it } from 'node:test';\n${bodies[name]}`);
    return path;
  });
  const entry = writeGroups([{ name: names.join(' '), files: paths }], folder)[0] ?? '';
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test-reporter=tap', entry], { env, cwd: packageRoot }, (_, out, err) => resolve(out + err));
  });
}

describe('groups of test files', () => {
  it('are folders, in portions where they are large and together where they are small, and single files that want it', () => {
    const inFolder = (folder: string, count: number) => Array.from({ length: count }, (_, index) => `${folder}/${index}.test.js`);
    const [auth, docs, edge, rest, sync] = [
      inFolder('auth', 4),
      inFolder('docs', 7),
      inFolder('edge', 7),
      inFolder('rest', 18),
      inFolder('sync', 9),
    ];
    assert.deepEqual(groupsOf([...auth, 'auth/a/b.alone.test.js', ...docs, ...edge, ...rest, ...sync, 'start.test.js']), [
      { name: 'start', files: ['start.test.js'] },
      { name: 'auth+docs', files: [...auth, ...docs] },
      { name: 'rest-1', files: rest.slice(0, 9) },
      { name: 'rest-2', files: rest.slice(9) },
      { name: 'sync', files: sync },
      { name: 'edge', files: edge },
      { name: 'auth/a/b.alone', files: ['auth/a/b.alone.test.js'] },
    ]);
  });

  it('come first where their files take long', () => {
    const names = groupsOf([
      ...Array.from({ length: 9 }, (_, index) => `rest/${index}.test.js`),
      ...Array.from({ length: 8 }, (_, index) => `faults/${index}.test.js`),
    ]).map(({ name }) => name);
    assert.deepEqual(names, ['faults', 'rest']);
  });

  it('keep hooks and failures to their file', async () => {
    const output = await runTogether('first', 'broken', 'second');
    assert.match(output, /^not ok 1 - \S*first\.js$/m);
    assert.match(output, /^not ok 2 - \S*broken\.js$/m);
    assert.match(output, /^ok 3 - \S*second\.js$/m);
    assert.ok(output.indexOf('first has ended') < output.indexOf('broken.js'));
  });

  it('say which file ended the process', async () => {
    assert.match(await runTogether('second', 'leaver', 'last'), /^The process ended while it ran \S*leaver\.js\.$/m);
  });

  it('name what failed, what did not end, and what was not run', () => {
    const stream = new EventEmitter();
    const told = followFiles(stream as unknown as ReturnType<typeof run>, ['a', 'b', 'c']);
    for (const [event, name] of ['dequeue a', 'complete a', 'fail a', 'dequeue b'].map((each) => each.split(' ')))
      stream.emit(`test:${event}`, { name });
    const { report, isComplete } = told();
    assert.equal(isComplete, false);
    assert.match(report, /\nFailed: a\nDid not end: b\nWas not run: c\n$/);
  });
});
