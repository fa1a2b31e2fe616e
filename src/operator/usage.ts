/** A command says in one line how it is called, and that line is what its arguments are checked against. */
import { parseArgs } from 'node:util';
import type { Config } from '../config.js';
import type { Answer } from './answer.js';
import type { Tell } from './progress.js';

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}

/** By name: `--name` gives `name`, an operand `CLIENT_ID` gives `CLIENT_ID`, a flag gives `true`. */
export type Arguments = Readonly<Record<string, string>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** How a command is called, and what it does. */
export interface Call {
  /** One sentence, without its capital letter and full stop. */
  readonly does: string;
  /** `CLIENT_ID --name NAME [--scope SCOPES] [--off]`: operands, required options, optional ones, and flags. Left out: takes nothing. */
  readonly usage?: string;
  /** What each part of the usage is, by `CLIENT_ID` or `--name`. */
  readonly explains?: Readonly<Record<string, string>>;
  /** Arguments of a call as one might make it. Left out: none. */
  readonly example?: string;
  /** The shape of what `--json` prints (see {@link shapeOf}); left out where there is no `--json`. */
  readonly json?: string;
  /** Further sentences of its help. */
  readonly notes?: string;
  /** What its exit codes mean, where that is not the usual or there are more. */
  readonly exits?: Readonly<Record<number, string>>;
  /** It takes a while: it tells its progress, and ends orderly when it is interrupted. */
  readonly isLong?: boolean;
}

export interface Given {
  readonly environment: Environment;
  /** Read from the environment when asked for. @throws {ConfigError} when it can't be. */
  readonly config: Config;
  /** With every operand and required option. */
  readonly values: Arguments;
  /** Both are for what is `isLong`: elsewhere nobody listens, and a signal ends the process at once. */
  readonly tell: Tell;
  readonly signal: AbortSignal;
}

export interface Command extends Call {
  run(given: Given): Promise<Answer | undefined>;
}

/** A part of a usage line. */
export interface Part {
  /** `CLIENT_ID`, or `--name`. */
  readonly name: string;
  /** What an option takes; undefined for a flag and an operand. */
  readonly value: string | undefined;
  readonly isRequired: boolean;
}

export const jsonFlag = '--json';

/** The usage line, whole. */
export const usageOf = ({ usage = '', json }: Call): string => [usage, json && `[${jsonFlag}]`].filter(Boolean).join(' ');

export const partsOf = (call: Call): Part[] =>
  [...usageOf(call).matchAll(/(\[)?(?:(--[a-z-]+)(?: ([A-Z_-]+))?|([A-Z_-]+))/g)].map(([, bracket, option, value, operand = '']) => ({
    name: option ?? operand,
    value,
    isRequired: !bracket,
  }));

/** @throws {UsageError} that shows the command's usage, when something is missing, empty, unknown or too much. */
export function parseArguments(name: string, call: Call, args: readonly string[]): Arguments {
  const parts = partsOf(call);
  const operands = parts.filter((part) => !part.name.startsWith('--'));
  const options = parts.filter((part) => part.name.startsWith('--')).map((part) => ({ ...part, key: part.name.slice(2) }));
  const fail = (problem: string): never => {
    throw new UsageError(`${problem}\n\nUsage: lanyard ${name} ${usageOf(call)}`.trimEnd());
  };
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    const known = Object.fromEntries(options.map(({ key, value }) => [key, { type: value ? ('string' as const) : ('boolean' as const) }]));
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: operands.length > 0 });
  } catch (error) {
    return fail((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (positionals.length > operands.length) fail(`Unexpected argument: “${positionals[operands.length]}”.`);
  const missing = [
    ...operands.filter((_, index) => !positionals[index]),
    ...options.filter(({ key, isRequired }) => values[key] === '' || (isRequired && !values[key])),
  ];
  if (missing.length > 0) fail(`Missing: ${missing.map((part) => part.name).join(', ')}.`);
  return {
    ...Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)])),
    ...Object.fromEntries(operands.map((operand, index) => [operand.name, positionals[index] ?? ''])),
  };
}
