/**
 * Results as files: Markdown with the ratios, which is committed, and JSON with all measurements
 * for the plot, which is not.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import type { Options } from '../options.js';
import type { Comparison } from '../rounds.js';
import { markdown, ratioCellsOf, ratioHeadings } from './table.js';

/** Under what circumstances figures came about. */
export interface Circumstances {
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly processor: string;
  readonly placement: string;
  /** Average load of the machine in the minute before the first round. */
  readonly load: number;
  readonly options: Options;
}

export interface Results extends Circumstances {
  readonly comparisons: readonly Comparison[];
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: packageRoot, encoding: 'utf8' }).trim();

/** The commit, marked where the program differs from it. */
function commitOf(): string {
  const isClean = git('status', '--porcelain', '--', 'src', 'schema', 'package-lock.json') === '';
  return `${git('rev-parse', '--short', 'HEAD')}${isClean ? '' : '-changed'}`;
}

export function circumstances(options: Options, placement: string): Circumstances {
  const [first, ...more] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(),
    node: process.version,
    processor: `${more.length + 1} × ${first?.model ?? 'unknown'}`,
    placement,
    load: loadavg()[0] ?? Number.NaN,
    options,
  };
}

/** @returns The path of the Markdown file. */
export function writeResults(results: Results): string {
  const folder = join(packageRoot, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${results.date}-${results.commit}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(`${path}.md`, asMarkdown(results));
  return `${path}.md`;
}

const asMarkdown = ({
  date,
  commit,
  node,
  processor,
  placement,
  load,
  options,
  comparisons,
}: Results): string => `# ${date}, ${commit}

Scale ${options.scale}; ${options.rounds} rounds of ${options.round} ms for each server and operation, ${options.lanes} requests under way${options.delay > 0 ? `, ${options.delay} ms more to PostgreSQL and back` : ''}. Node ${node}, ${processor}; ${placement}; average load before ${load.toFixed(2)}.
Ratios are Lanyard's to the server of the row; above 1 Lanyard is faster. Median, minimum and maximum of the rounds. \`bench/README.md\` explains the figures.

${markdown(
  ratioHeadings,
  comparisons.flatMap((comparison) => ratioCellsOf(comparison)),
)}
`;
