/** A command says in one line how it is called, and that line is what its arguments are checked against. */
import { parseArgs } from 'node:util';
import type { Config } from '../config.js';

/** The command was called wrongly; the message says how to call it. */
export class UsageError extends Error {}

/** By name: `--name` gives `name`, an operand `CLIENT_ID` gives `CLIENT_ID`, a flag gives `true`. */
export type Arguments = Readonly<Record<string, string>>;

interface Call {
  readonly does: string;
  /** `CLIENT_ID --name NAME [--scope SCOPES] [--off]`: operands, required options, optional ones, and flags. Left out: takes nothing. */
  readonly usage?: string;
}

export interface Command extends Call {
  /** @param values With every operand and required option. */
  run(config: Config, values: Arguments): Promise<unknown>;
}

/** A command that works where the environment makes no configuration, too. */
export interface Inspection extends Call {
  inspect(environment: Readonly<Record<string, string | undefined>>, values: Arguments): Promise<unknown>;
}

/** @throws {UsageError} that shows the command's usage, when something is missing, empty, unknown or too much. */
export function parseArguments(name: string, { usage = '' }: Call, args: readonly string[]): Arguments {
  const parts = [...usage.matchAll(/(\[)?(?:--([a-z-]+)(?: ([A-Z_-]+))?|([A-Z_-]+))/g)];
  const operands = parts.flatMap(([, , , , operand]) => operand ?? []);
  const options = parts.flatMap(([, bracket, option, value]) =>
    option ? [{ option, isRequired: !bracket, type: value ? 'string' : 'boolean' } as const] : [],
  );
  const fail = (problem: string): never => {
    throw new UsageError(`${problem}\n\nUsage: lanyard ${name} ${usage}`.trimEnd());
  };
  let parsed: { values: Record<string, string | boolean | undefined>; positionals: string[] };
  try {
    const known = Object.fromEntries(options.map(({ option, type }) => [option, { type }]));
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: operands.length > 0 });
  } catch (error) {
    return fail((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (positionals.length > operands.length) fail(`“${positionals[operands.length]}” is too much.`);
  const missing = [
    ...operands.filter((_, index) => !positionals[index]),
    ...options
      .filter(({ option, isRequired }) => values[option] === '' || (isRequired && !values[option]))
      .map(({ option }) => `--${option}`),
  ];
  if (missing.length > 0) fail(`Missing: ${missing.join(', ')}.`);
  return {
    ...Object.fromEntries(Object.entries(values).map(([option, value]) => [option, String(value)])),
    ...Object.fromEntries(operands.map((operand, index) => [operand, positionals[index] ?? ''])),
  };
}

/** What can be called, or of it what begins with the words. */
export function helpOf(commands: Readonly<Record<string, Call>>, words = ''): string {
  const shown = Object.entries(commands).filter(([name]) => `${name} `.startsWith(`${words} `.trimStart()));
  const lines = shown.map(([name, { does, usage }]) => `  ${[name, usage].filter(Boolean).join(' ')}\n      ${does}`);
  return `Usage: lanyard COMMAND\n\n${lines.join('\n')}\n\nThe environment is described in .env.example.\n`;
}
