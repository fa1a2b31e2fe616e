/** The command line of the benchmark. */
import { parseArgs } from 'node:util';
import { operations } from './operations.js';
import { compared, variants } from './servers.js';

export const modes = ['latency', 'growth', 'memory', 'start', 'processes', 'profile'] as const;
export type Mode = 'compare' | (typeof modes)[number];

export interface Options {
  readonly mode: Mode;
  readonly isQuick: boolean;
  readonly scale: number;
  /** Names of operations. */
  readonly only: readonly string[];
  /** Names of variants. */
  readonly variants: readonly string[];
  /** Requests under way at once. */
  readonly lanes: number;
  /** Milliseconds of a round. */
  readonly round: number;
  /**
   * Rounds of each variant and operation; even, so that each is as often before the others as
   * after.
   */
  readonly rounds: number;
  /** Minutes of the leak test. */
  readonly minutes: number;
  /** Milliseconds that a round trip between server and PostgreSQL takes longer. */
  readonly delay: number;
}

export class OptionError extends Error {}

const list = (
  text: string | undefined,
  known: readonly string[],
  otherwise: readonly string[],
): readonly string[] => {
  if (text === undefined) return otherwise;
  const names = text.split(',');
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new OptionError(`There is no ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  return names;
};

/** @throws {OptionError} saying what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean' } as const;
  const value = { type: 'string' } as const;
  const flags = Object.fromEntries(['quick', ...modes].map((name) => [name, flag]));
  const texts = Object.fromEntries(
    ['scale', 'only', 'variants', 'lanes', 'round', 'rounds', 'minutes', 'delay'].map((name) => [
      name,
      value,
    ]),
  );
  let given: Record<string, string | boolean | undefined>;
  try {
    given = parseArgs({ args: [...args], options: { ...flags, ...texts } }).values as typeof given;
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
  const text = (name: string) => given[name] as string | undefined;
  const number = (name: string, otherwise: number) => {
    const read = Number(text(name) ?? otherwise);
    if (!(read > 0)) throw new OptionError(`--${name} must be a number above 0.`);
    return read;
  };
  const asked = modes.filter((mode) => given[mode]);
  if (asked.length > 1) throw new OptionError(`One of --${asked.join(', --')} at a time.`);
  const isQuick = given.quick === true;
  return {
    mode: asked[0] ?? 'compare',
    isQuick,
    scale: number('scale', 1),
    only: list(
      text('only'),
      operations.map(({ name }) => name),
      operations.map(({ name }) => name),
    ),
    variants: list(
      text('variants'),
      variants.map(({ name }) => name),
      compared,
    ),
    lanes: number('lanes', 16),
    round: number('round', isQuick ? 500 : 1500),
    rounds: number('rounds', isQuick ? 4 : 8),
    minutes: number('minutes', 1),
    delay: text('delay') === undefined ? 0 : number('delay', 0),
  };
}
