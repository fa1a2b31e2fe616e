/**
 * The image that the Dockerfile describes, laid out in a folder: no Docker engine is needed to see
 * whether it starts.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { fail } from '../support/expect.js';

/** Each instruction with its arguments, continued lines joined. */
export function readDockerfile(): (readonly [instruction: string, rest: string])[] {
  const text = readFileSync(join(packageRoot, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  return [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, instruction = '', rest = '']) => [
    instruction,
    rest,
  ]);
}

export interface Image {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
  readonly user: string;
  /**
   * Runs a program of the image as its user, who can't write to it. `node` is that of the tests.
   */
  run(program: readonly string[], environment: Record<string, string>): Process;
}

export interface Process {
  readonly child: ChildProcess;
  readonly output: string[];
  readonly ended: Promise<number | null>;
}

/**
 * Copies what the last stage copies, from the build of this folder, with the packages that `npm ci
 * --workspaces=false --omit=dev --omit=optional` leaves, and the one package that the REST client
 * needs.
 */
export function layOut(): Image {
  const instructions = readDockerfile();
  const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM') + 1);
  const argumentsOf = (name: string) =>
    last.find(([each]) => each === name)?.[1] ?? fail(`There is no ${name}`);
  const listOf = (name: string) =>
    JSON.parse(argumentsOf(name).replace(/^.*?(?=\[)/, '')) as string[];
  const root = mkdtempSync(join(tmpdir(), 'lanyard-image-'));
  chmodSync(root, 0o755);
  for (const [name, rest] of last) {
    if (name !== 'COPY') continue;
    const [, stage, paths = ''] = /^--from=(\w+) (.+)$/.exec(rest) ?? fail(rest);
    if (stage === 'packages') linkPackages(root);
    else copy(paths.split(' '), root);
  }
  const environment = Object.fromEntries(
    argumentsOf('ENV')
      .split(' ')
      .map((each) => each.split('=')),
  );
  const user = argumentsOf('USER');
  return {
    root,
    environment,
    user,
    entrypoint: listOf('ENTRYPOINT'),
    command: listOf('CMD'),
    health: listOf('HEALTHCHECK'),
    run: ([program = '', ...args], more) => {
      expect(program).toBe('node');
      const [uid, gid] = user.split(':').map(Number);
      const identity = process.getuid?.() === 0 ? { uid, gid } : {};
      const child = spawn(process.execPath, args, {
        cwd: root,
        env: { ...environment, ...more },
        ...identity,
      } as object) as ChildProcess;
      const output: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => output.push(String(data)));
      return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
    },
  };
}

function copy(paths: readonly string[], root: string): void {
  const sources = paths.slice(0, -1).map((path) => path.replace('/build/', ''));
  const target = paths.at(-1) ?? '';
  for (const source of sources) {
    const destination = join(root, target.endsWith('/') ? join(target, basename(source)) : target);
    mkdirSync(dirname(destination), { recursive: true });
    cpSync(join(packageRoot, source), destination, { recursive: true });
  }
}

function linkPackages(root: string): void {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, optional, link: isWorkspace }] of Object.entries(packages)) {
    if (path.startsWith('node_modules/') && !dev && !optional && !isWorkspace)
      link(join(packageRoot, path), join(root, path));
  }
}

/**
 * The same files in another place, where that is on the same disk: copying 14,000 of them costs
 * seconds. What is nested in a package is an entry of its own.
 */
function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isDirectory()) linkOrCopy(source, target);
    else if (entry.name !== 'node_modules') link(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
}
