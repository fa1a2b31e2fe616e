/** The calls of the README work when pasted. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';

const app = await startApp();
const token = await app.token('manager@skyline.example');
const blocks = [...readFileSync(join(packageRoot, 'README.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text);
const calls = blocks.flatMap((block) => block.match(/^curl (?:.*\\\n)*.*$/gm) ?? []);

test('the README has calls, and the command that makes their token', () => {
  assert.equal(calls.length, 3);
  assert.ok(blocks.some((block) => block.includes('npm run --silent token -- --user manager@skyline.example --app demo-dashboard')));
});

for (const call of calls) {
  test(call.split('\n')[0] ?? '', async () => {
    const script = call.replace('http://127.0.0.1:4000', app.base);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: { ...process.env, TOKEN: token } });
    const answer = JSON.parse(stdout);
    assert.ok(answer.data, JSON.stringify(answer));
    assert.equal(answer.errors, undefined);
  });
}
