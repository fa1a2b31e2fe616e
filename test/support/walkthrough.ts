/** Pages of commands with the answers that they show, run as they stand. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { packageRoot } from '../../src/root.js';

export interface Shell {
  /** A folder of its own, where the commands run. */
  readonly directory: string;
  /** What a block prints. The shell goes on, with its variables and functions, to the next. */
  run(block: string): Promise<string>;
}

/** One shell for a test file, with the Node.js of the tests; it stops after the file's last test. */
export function startShell(environment: Record<string, string> = {}): Shell {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-walkthrough-'));
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const shell = spawn('bash', { cwd: directory, env: { ...process.env, ...environment, PATH }, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  after(() => {
    shell.kill();
    rmSync(directory, { recursive: true });
  });
  const run = async (block: string): Promise<string> => {
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
  };
  return { directory, run };
}

export interface Step {
  readonly command: string;
  /** What the page shows under it, if anything. */
  readonly kind: string | undefined;
  readonly shown: string;
}

/** A page of docs, for a server elsewhere than the page says. */
export const readPage = (file: string, base: string): string =>
  readFileSync(join(packageRoot, 'docs', file), 'utf8').replaceAll('http://127.0.0.1:4000', base);

/** The commands of a page, in order. */
export const stepsOf = (page: string): Step[] =>
  [...page.matchAll(/```sh\n([\s\S]*?)```(?:\s*```(json|text)\n([\s\S]*?)```)?/g)].map(([, command = '', kind, shown = '']) => ({
    command,
    kind,
    shown,
  }));

/** Text must be what the page shows, JSON like it. */
export function assertShown(printed: string, { command, kind, shown }: Step): void {
  if (kind === 'text') assert.equal(printed, shown, command);
  if (kind === 'json') assertLike(JSON.parse(printed), JSON.parse(shown), command);
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

/** The one program of a page. */
export function programOf(page: string): string {
  const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  assert.equal(programs.length, 1);
  return programs[0] ?? '';
}

/** Where a page makes a token by a command that needs the server's own database, it gets this one. */
export const withToken = (command: string, token: string): string => command.replace(/\$\(npm run --silent token[^)]*\)/, token);

/** An example of the TypeScript client, as its users would write it: they have the package, not its source. */
export const exampleOf = (file: string): string =>
  readFileSync(join(packageRoot, 'clients/typescript/examples', file), 'utf8').replace('../src/index.js', '@lanyard/client');
