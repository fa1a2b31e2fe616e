/** Releases are tags: v0.1.0. */
import { execFileSync } from 'node:child_process';
import { packageRoot } from '../../src/root.js';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, {
    cwd: packageRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
    .split('\n')
    .filter(Boolean);

const isRelease = (tag: string): boolean => /^v\d+\.\d+\.\d+$/.test(tag);

/** The tag of the last release that this commit includes; undefined before the first. */
export const lastRelease = (): string | undefined =>
  git('tag', '--merged', 'HEAD', '--sort=-v:refname').find(isRelease);

/** Whether the version was released, on any branch. */
export const isReleased = (version: string): boolean =>
  git('tag', '--list', `v${version}`).length > 0;
