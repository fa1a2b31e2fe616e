/** `npm start` compiles what has changed, and nothing when nothing has. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/root.js';

const cwd = mkdtempSync(join(tmpdir(), 'lanyard-build-'));
afterAll(() => rmSync(cwd, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  writeFileSync(join(cwd, file), text);
}

const build = (): number | null =>
  spawnSync(process.execPath, [join(packageRoot, 'tools/build-if-changed.mjs')], { cwd }).status;
/** The builders that ran, in order. */
const ran = (): string => readFileSync(join(cwd, 'ran'), 'utf8');

/** A builder that appends its name to `ran`, and makes its output. */
const builder = (name: string, output: string): string =>
  `const { appendFileSync, mkdirSync, writeFileSync } = process.getBuiltinModule('fs');
appendFileSync('ran', '${name} ');
mkdirSync('dist/src', { recursive: true });
writeFileSync('dist/${output}', '');`;

test('builds at first, after a change, after a failure and without its output, and else not', () => {
  write('src/main.ts', '1');
  write('dashboard/build.mjs', builder('bundle', 'browser'));
  write('node_modules/typescript/bin/tsc', builder('compile', 'src/main.js'));
  const steps: readonly (readonly [ran: string, change: () => void])[] = [
    ['compile bundle ', () => {}],
    ['', () => {}],
    ['compile bundle ', () => write('src/main.ts', '22')],
    ['compile bundle ', () => write('src/new/file.ts', '3')],
    ['compile bundle ', () => rmSync(join(cwd, 'src/new/file.ts'))],
    ['compile bundle ', () => rmSync(join(cwd, 'dist/src/main.js'))],
    ['', () => {}],
  ];
  for (const [expected, change] of steps) {
    change();
    write('ran', '');
    expect([build(), ran()]).toStrictEqual([0, expected]);
  }
  write('node_modules/typescript/bin/tsc', 'process.exit(2)');
  write('src/main.ts', '4444');
  expect([build(), build()]).toStrictEqual([2, 2]);
});
