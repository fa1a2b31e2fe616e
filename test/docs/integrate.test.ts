/** Every command of docs/integrate.md, in order, in one shell, with the answers that the page shows. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { packageRoot } from '../../src/root.js';
import { Browser } from '../auth/oauth/browser.js';
import { allow, signIn, startOAuthApp } from '../auth/oauth/client.js';

const app = await startOAuthApp();
const directory = mkdtempSync(join(tmpdir(), 'lanyard-integrate-'));
const shell = spawn('bash', { cwd: directory, stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
after(() => {
  shell.kill();
  rmSync(directory, { recursive: true });
});

/** What a block prints. The shell goes on, with its variables and functions, to the next. */
async function run(block: string): Promise<string> {
  shell.stdin.write(`${block}\necho "end $?"\n`);
  let printed = '';
  for (;;) {
    const { value, done } = await lines.next();
    assert.ok(!done, `The shell ended in:\n${block}`);
    if (/^end \d+$/.test(value)) {
      assert.equal(value, 'end 0', `${block}\n${printed}`);
      return printed;
    }
    printed += `${value}\n`;
  }
}

/** Keys and kinds of values; of a list its first element. An ellipsis stands for whatever comes; other texts and numbers are meant as they are. */
function assertLike(actual: unknown, shown: unknown, path: string): void {
  if (Array.isArray(shown)) assertLike((actual as unknown[])[0], shown[0], `${path}[0]`);
  else if (typeof shown === 'object' && shown !== null) {
    assert.deepEqual(Object.keys(actual as object), Object.keys(shown), path);
    for (const [key, value] of Object.entries(shown)) assertLike((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
  } else if (shown === '…' || path.endsWith('_at')) assert.equal(typeof actual, 'string', path);
  else assert.equal(actual, shown, path);
}

const page = readFileSync(join(packageRoot, 'docs/integrate.md'), 'utf8').replaceAll('http://127.0.0.1:4000', app.base);
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```(?:\s*```(json|text)\n([\s\S]*?)```)?/g)];

test('docs/integrate.md works as it stands', async () => {
  assert.ok(blocks.length >= 12);
  let printed = '';
  for (const [, command = '', kind, shown = ''] of blocks) {
    const code = command.includes('paste-the-code-here') ? await signInAt(printed.trim()) : '';
    printed = await run(command.replace('paste-the-code-here', code));
    if (kind === 'text') assert.equal(printed, shown, command);
    if (kind === 'json') assertLike(JSON.parse(printed), JSON.parse(shown), command);
  }
});

test('the copy has every record of the organization, each once', async () => {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*) as count from certifications c join organizations o on o.id = c.organization_id where o.slug = 'skyline-towers'`,
  );
  assert.equal(await run(`jq -r .id copy.jsonl | wc -l; jq -r .id copy.jsonl | sort -u | wc -l`), `${row?.count}\n${row?.count}\n`);
});

/** The part of the person: signs in at the address that was printed, agrees, and reads the code off the address bar. */
async function signInAt(address: string): Promise<string> {
  const browser = new Browser(app.base);
  const { url } = await allow(browser, await signIn(browser, await browser.get(address), 'manager@skyline.example'));
  assert.equal(url.searchParams.get('state'), new URL(address).searchParams.get('state'));
  return url.searchParams.get('code') ?? '';
}
