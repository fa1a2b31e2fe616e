/** The usage line of a command, which also defines how its arguments are parsed. */
import { parseArgs } from 'node:util';
import type { Config } from '../config.js';
import type { CommandOutput } from './output/command-output.js';
import type { NotifyProgress } from './output/progress.js';

/** The command line is invalid; the message shows the usage. */
export class UsageError extends Error {}

/** By name: `--name` sets `name`, an operand `CLIENT_ID` sets `CLIENT_ID`, a flag sets `true`. */
export type Arguments = Readonly<Record<string, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The usage and description of a command. */
export interface Call {
  /** One sentence, without initial capital and full stop. */
  readonly does: string;
  /**
   * `CLIENT_ID --name NAME [--scope SCOPES] [--off]`: operands, required options, optional ones,
   * and flags. Default: no arguments.
   */
  readonly usage?: string;
  /** Descriptions of the parts of the usage, by `CLIENT_ID` or `--name`. */
  readonly explains?: Readonly<Record<string, string>>;
  /** Arguments of an example call. Default: none. */
  readonly example?: string;
  /** The shape of the output of `--json` (see {@link shapeOf}); omitted without `--json`. */
  readonly json?: string;
  /** Additional sentences of its help. */
  readonly notes?: string;
  /** Exit codes that differ from the usual ones or add to them. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Long-running: reports its progress, and ends cleanly when interrupted. */
  readonly isLong?: boolean;
}

export interface Given {
  readonly environment: Environment;
  /** Read from the environment on access. @throws {ConfigError} when it is invalid. */
  readonly config: Config;
  /** Includes every operand and required option. */
  readonly values: Arguments;
  /**
   * Both are for `isLong` commands. Other commands do not handle signals, which end the process.
   */
  readonly notify: NotifyProgress;
  readonly signal: AbortSignal;
}

export interface Command extends Call {
  run(given: Given): Promise<CommandOutput | undefined>;
}

/** A part of a usage line. */
export interface Part {
  /** `CLIENT_ID`, or `--name`. */
  readonly name: string;
  /** The placeholder of an option's value; undefined for a flag or operand. */
  readonly value: string | undefined;
  readonly isRequired: boolean;
}

export const jsonFlag = '--json';

/** The complete usage line. */
export const usageOf = ({ usage = '', json }: Call): string =>
  [usage, json && `[${jsonFlag}]`].filter(Boolean).join(' ');

export const partsOf = (call: Call): Part[] =>
  [...usageOf(call).matchAll(/(\[)?(?:(--[a-z-]+)(?: ([A-Z_-]+))?|([A-Z_-]+))/g)].map(
    ([, bracket, option, value, operand = '']) => ({
      name: option ?? operand,
      value,
      isRequired: !bracket,
    }),
  );

/** @throws {UsageError} with the usage, when an argument is missing, empty, unknown or surplus. */
export function parseArguments(name: string, call: Call, args: readonly string[]): Arguments {
  const parts = partsOf(call);
  const operands = parts.filter((part) => !part.name.startsWith('--'));
  const options = parts
    .filter((part) => part.name.startsWith('--'))
    .map((part) => ({ ...part, key: part.name.slice(2) }));
  const fail = (problem: string): never => {
    throw new UsageError(`${problem}\n\nUsage: lanyard ${name} ${usageOf(call)}`.trimEnd());
  };
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    const known = Object.fromEntries(
      options.map(({ key, value }) => [
        key,
        { type: value ? ('string' as const) : ('boolean' as const) },
      ]),
    );
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: operands.length > 0 });
  } catch (error) {
    return fail((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (positionals.length > operands.length)
    fail(`Unexpected argument: “${positionals[operands.length]}”.`);
  const missing = [
    ...operands.filter((_, index) => !positionals[index]),
    ...options.filter(({ key, isRequired }) => values[key] === '' || (isRequired && !values[key])),
  ];
  if (missing.length > 0) fail(`Missing: ${missing.map((part) => part.name).join(', ')}.`);
  return {
    ...Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)])),
    ...Object.fromEntries(
      operands.map((operand, index) => [operand.name, positionals[index] ?? '']),
    ),
  };
}
