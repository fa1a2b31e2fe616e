/** Pages of commands with the answers that they show, run as they stand. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/root.js';
import { ensure } from './expect.js';
import { type Block, readText } from './markdown.js';

export interface Shell {
  /** A folder of its own, where the commands run. */
  readonly directory: string;
  /** What a block prints. The shell goes on, with its variables and functions, to the next. */
  run(block: string): Promise<string>;
}

/**
 * One shell for a test file, with the Node.js of the tests; it stops after the file's last test.
 */
export function startShell(environment: Record<string, string> = {}): Shell {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-walkthrough-'));
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const shell = spawn('bash', {
    cwd: directory,
    env: { ...process.env, ...environment, PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  afterAll(() => {
    shell.kill();
    rmSync(directory, { recursive: true });
  });
  const run = async (block: string): Promise<string> => {
    // On a line of its own, whether or not the block ends its last one.
    shell.stdin.write(`${block}\nprintf '\\nend %s\\n' $?\n`);
    const printed: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      ensure(!done, `The shell ended in:\n${block}`);
      if (/^end \d+$/.test(value)) {
        expect([`${block}\n${printed.join('\n')}`, value]).toStrictEqual([
          expect.any(String),
          'end 0',
        ]);
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

/**
 * A page for a server elsewhere than the page says, and for a shell that isn't in the repository.
 */
export const readPage = (file: string, base: string): string =>
  readText(file)
    .replaceAll('http://localhost:4000', base)
    .replaceAll('LANYARD=$PWD', `LANYARD=${packageRoot}`);

/** Whether the block is what the commands above it print. */
export const isShown = ({ language, above }: Block): boolean =>
  above?.language === 'sh' && ['json', 'text'].includes(language);

/** The commands among the blocks of a page, in order. */
export const stepsOf = (blocks: readonly Block[]): Step[] =>
  blocks
    .filter(({ language }) => language === 'sh')
    .map((block) => ({
      command: block.text,
      shown: blocks.find((each) => each.above === block && isShown(each)),
    }));

/**
 * Text must be what the page shows, JSON like it. What shows nothing must not end in an error of
 * the API.
 */
export function assertShown(printed: string, { command, shown }: Step): void {
  if (shown?.language === 'text') expect([command, printed]).toStrictEqual([command, shown.text]);
  else if (shown?.language === 'json')
    assertLike(JSON.parse(printed), JSON.parse(shown.text), command);
  else
    expect([command, printed]).toStrictEqual([command, expect.not.stringMatching(/"request_id"/)]);
}

/**
 * Keys and kinds of values; of a list its first element. An ellipsis stands for whatever comes;
 * other texts and numbers are meant as they are.
 */
function assertLike(actual: unknown, shown: unknown, path: string): void {
  if (Array.isArray(shown)) assertLike((actual as unknown[])[0], shown[0], `${path}[0]`);
  else if (typeof shown === 'object' && shown !== null) {
    expect([path, Object.keys(actual as object)]).toStrictEqual([path, Object.keys(shown)]);
    for (const [key, value] of Object.entries(shown))
      assertLike((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
  } else if (shown === '…' || path.endsWith('_at'))
    expect([path, typeof actual]).toStrictEqual([path, 'string']);
  else expect([path, actual]).toStrictEqual([path, shown]);
}

/**
 * In a shell of a page: `npm run NAME` without compiling first, on the database of a server of the
 * tests. The client is compiled and installed as on any machine, without what the npm that runs the
 * tests has set.
 */
export const withoutCompiling = `npm() {
  local clean=(env -i "PATH=$PATH" "HOME=$HOME")
  case "$*" in
    'run --silent client') "\${clean[@]}" npm run --silent client --prefix "${packageRoot}" ;;
    install*) "\${clean[@]}" npm "$@" ;;
    *) shift; [ "$1" = --silent ] && shift; local name=$1; shift 2; node "${join(packageRoot, 'dist/src/main.js')}" "$name" "$@" ;;
  esac
}`;

/**
 * An example of the TypeScript client, as its users would write it: they have the package, not its
 * source.
 */
export const exampleOf = (file: string): string =>
  readText(`clients/typescript/examples/${file}`).replace('../src/index.js', '@lanyard/client');
