/**
 * Every command of the documents, page by page and in order, each page in one shell against a
 * server of its own, with the answers that it shows.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { records } from '../../clients/typescript/src/index.js';
import { Browser } from '../auth/oauth/browser.js';
import { allow, signIn, startOAuthApp } from '../auth/oauth/client.js';
import { collect, lanyardOf } from '../clients/lanyard.js';
import type { TestApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { type Block, blocksOf, markdownFiles, readText } from '../support/markdown.js';
import { managerEmail, skylineId } from '../support/names.js';
import {
  assertShown,
  exampleOf,
  isShown,
  readPage,
  startShell,
  stepsOf,
  withoutCompiling,
} from '../support/walkthrough.js';
import { exceptions } from './exceptions.js';

const pages = markdownFiles().filter(
  (file) => file === 'README.md' || /^docs\/[^/]+\.md$/.test(file),
);
const isException = (page: string, { text }: Block) =>
  exceptions.some((each) => each.page === page && text.startsWith(each.begins));
/** What is to be run of a page. @param base Where the server is. */
const blocksToRun = (page: string, base = 'http://localhost:4000') =>
  blocksOf(readPage(page, base)).filter((block) => !isException(page, block));

/** What a page is about, once its commands have run. @param printed What each of them printed. */
type Check = (app: TestApp, printed: ReadonlyMap<string, string>) => Promise<void>;
/** Blocks that have a test of their own beside this one. */
const ownTests: Readonly<Record<string, (block: Block) => boolean>> = {
  'docs/dashboards.md': ({ language }) => language === 'graphql' || language === 'json',
  'docs/scaling.md': ({ language }) => language === 'sql',
};
const checks: Readonly<Record<string, Check>> = {
  'docs/sync.md': countsAsTheServerDoes,
  'docs/idempotency.md': madeOnce,
};

for (const page of pages) {
  if (stepsOf(blocksToRun(page)).length === 0) continue;
  const app = await startOAuthApp();
  const HOME = mkdtempSync(join(tmpdir(), 'lanyard-home-'));
  afterAll(() => rmSync(HOME, { recursive: true }));
  const { run } = startShell({ HOME, DATABASE_URL: app.url, BASE_URL: app.base, NODE_ENV: 'test' });

  test(`${page} works as it stands`, async () => {
    const blocks = blocksToRun(page, app.base);
    for (const { file, text } of blocks.filter(({ language }) => language === 'ts'))
      save(join(HOME, 'lanyard-programs'), file, text);
    const printed = new Map<string, string>();
    let last = await run(withoutCompiling);
    for (const step of stepsOf(blocks)) {
      const code = step.command.includes('paste-the-code-here')
        ? await signInAt(app, last.trim())
        : '';
      last = await run(step.command.replace('paste-the-code-here', code));
      printed.set(step.command, last);
      assertShown(last, step);
    }
    await checks[page]?.(app, printed);
  });
}

/** Saves a program as a page says. */
function save(folder: string, file: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), text);
}

test('every block is run, or shows what the commands above it print, or is named with a reason', () => {
  for (const page of pages) {
    const blocks = blocksToRun(page);
    const commands = stepsOf(blocks).map(({ command }) => command);
    const isProgram = ({ language, file }: Block) =>
      language === 'ts' && commands.some((text) => text.includes(`node ${file}`));
    for (const block of blocks) {
      const isRun =
        block.language === 'sh' || isShown(block) || isProgram(block) || ownTests[page]?.(block);
      ensure(isRun, `Nothing runs this in ${page}:\n${block.text}`);
    }
  }
});

test('every exception is one', () => {
  for (const { page, begins, because } of exceptions) {
    expect(because).toBeTruthy();
    const found = blocksOf(readText(page)).filter(({ text }) => text.startsWith(begins));
    ensure(found.length > 0, `${page} has no block that begins with ${begins}`);
  }
});

test('the programs are the examples of the client, whose tests run them too', () => {
  const programs = pages.flatMap((page) =>
    blocksToRun(page).filter(({ language }) => language === 'ts'),
  );
  expect(programs.length).toBeGreaterThanOrEqual(2);
  for (const { file, text } of programs) expect(text).toBe(exampleOf(file));
});

/**
 * The part of the person: signs in at the address that was printed, agrees, and reads the code off
 * the address bar.
 */
async function signInAt(app: TestApp, address: string): Promise<string> {
  const browser = new Browser(app.base);
  const { url } = await allow(
    browser,
    await signIn(browser, await browser.get(address), managerEmail),
  );
  expect(url.searchParams.get('state')).toBe(new URL(address).searchParams.get('state'));
  return url.searchParams.get('code') ?? '';
}

async function madeOnce({ db }: TestApp): Promise<void> {
  const members = await db.query(
    `select external_id as "externalId" from organization_members where external_id like 'HR-08%' order by external_id`,
  );
  expect(members).toStrictEqual([{ externalId: 'HR-0815' }, { externalId: 'HR-0817' }]);
}

/** What counts today, worked out from the copy, is what the server says. */
async function countsAsTheServerDoes(
  app: TestApp,
  printed: ReadonlyMap<string, string>,
): Promise<void> {
  const [counting = ''] = [...printed]
    .filter(([command]) => command.includes('as counting'))
    .map(([, output]) => output);
  const list = '/v1/organizations/{organization_id}/certifications';
  const all = await collect(
    records(lanyardOf(app, managerEmail), list, {
      params: { path: { organization_id: skylineId } },
    }),
  );
  const counts = all.filter(
    ({ lifecycle_status, validity_status, verification_status, source, issued_on }) =>
      lifecycle_status === 'active' &&
      (validity_status === 'valid' || validity_status === 'expiring') &&
      verification_status !== 'failed' &&
      (source !== 'self-reported' || verification_status === 'verified') &&
      (issued_on ?? '') <= new Date().toISOString().slice(0, 10),
  );
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.length).toBeLessThan(all.length);
  expect(JSON.parse(counting)).toStrictEqual([{ counting: counts.length }]);
}
