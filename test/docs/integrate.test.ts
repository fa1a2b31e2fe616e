/** Every command of docs/integrate.md, in order, in one shell, with the answers that the page shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../auth/oauth/browser.js';
import { allow, signIn, startOAuthApp } from '../auth/oauth/client.js';
import { assertShown, readPage, startShell, stepsOf } from '../support/walkthrough.js';

const app = await startOAuthApp();
const { run } = startShell();
const steps = stepsOf(readPage('integrate.md', app.base));

test('docs/integrate.md works as it stands', async () => {
  assert.ok(steps.length >= 12);
  let printed = '';
  for (const step of steps) {
    const code = step.command.includes('paste-the-code-here') ? await signInAt(printed.trim()) : '';
    printed = await run(step.command.replace('paste-the-code-here', code));
    assertShown(printed, step);
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
