/** Pages of commands with the answers that they show, run as they stand. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { packageRoot } from '../../src/root.js';
import { type Block, readText } from './markdown.js';

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
    // On a line of its own, whether or not the block ends its last one.
    shell.stdin.write(`${block}\nprintf '\\nend %s\\n' $?\n`);
    const printed: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, `The shell ended in:\n${block}`);
      if (/^end \d+$/.test(value)) {
        assert.equal(value, 'end 0', `${block}\n${printed.join('\n')}`);
        return printed.join('\n');
      }
      printed.push(value);
    }
  };
  return { directory, run };
}

export interface Step {
  readonly command: string;
  /** What the page shows under it, if anything. */
  readonly shown: Block | undefined;
}

/** A page for a server elsewhere than the page says. */
export const readPage = (file: string, base: string): string => readText(file).replaceAll('http://127.0.0.1:4000', base);

/** Whether the block is what the commands above it print. */
export const isShown = ({ language, above }: Block): boolean => above?.language === 'sh' && ['json', 'text'].includes(language);

/** The commands among the blocks of a page, in order. */
export const stepsOf = (blocks: readonly Block[]): Step[] =>
  blocks
    .filter(({ language }) => language === 'sh')
    .map((block) => ({ command: block.text, shown: blocks.find((each) => each.above === block && isShown(each)) }));

/** Text must be what the page shows, JSON like it. What shows nothing must not end in an error of the API. */
export function assertShown(printed: string, { command, shown }: Step): void {
  if (shown?.language === 'text') assert.equal(printed, shown.text, command);
  else if (shown?.language === 'json') assertLike(JSON.parse(printed), JSON.parse(shown.text), command);
  else assert.doesNotMatch(printed, /"request_id"/, command);
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

/** In a shell of a page: `npm run NAME` without compiling first, on the database of a server of the tests. */
export const withoutCompiling = `npm() { shift; [ "$1" = --silent ] && shift; local name=$1; shift 2; node "${join(packageRoot, 'dist/src/main.js')}" "$name" "$@"; }`;

/** An example of the TypeScript client, as its users would write it: they have the package, not its source. */
export const exampleOf = (file: string): string =>
  readText(`clients/typescript/examples/${file}`).replace('../src/index.js', '@lanyard/client');
