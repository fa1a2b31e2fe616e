/** The texts of `--help`. */
import stringWidth from 'string-width';
import { distance } from '../spelling.js';
import { pad, wrap } from './output/width.js';
import { type Call, jsonFlag, partsOf, UsageError, usageOf } from './usage.js';

type Calls = Readonly<Record<string, Call>>;

const usualExits = { 0: 'done', 1: 'failed', 2: 'invalid usage or configuration' };
const interruptedExits = { 130: 'interrupted by Ctrl-C', 143: 'interrupted by SIGTERM' };

/** The exit codes of a command, with their meanings. */
export const exitsOf = ({ exits, isLong }: Pick<Call, 'exits' | 'isLong'>): string =>
  Object.entries({ ...usualExits, ...exits, ...(isLong && interruptedExits) })
    .map(([code, meaning]) => `${code} ${meaning}`)
    .join(', ');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The commands that start with the words; all commands without words. */
export const commandsOf = <Each>(
  commands: Readonly<Record<string, Each>>,
  words = '',
): [name: string, command: Each][] =>
  Object.entries(commands).filter(([name]) => words === '' || `${name} `.startsWith(`${words} `));

/** Names with descriptions in a second column. */
function beside(
  pairs: readonly (readonly [name: string, text: string])[],
  columns: number,
): string {
  const width = Math.max(...pairs.map(([name]) => stringWidth(name)));
  const indent = ' '.repeat(width + 4);
  return pairs
    .map(([name, text]) => `  ${pad(name, width)}  ${wrap(text, columns, indent)}\n`)
    .join('');
}

/** One line per command that starts with the words. @param columns Width of the terminal. */
export function overview(commands: Calls, words: string, columns: number): string {
  const shown = commandsOf(commands, words).map(([name, { does }]) => [name, does] as const);
  const more = `“lanyard help COMMAND” explains a command. Exit codes: ${exitsOf({})}. More: .env.example on variables of the environment, docs/cli.md on JSON and signals.`;
  return `Usage: lanyard ${words || 'COMMAND'} …\n\n${beside(shown, columns)}\n${wrap(more, columns)}\n`;
}

/** The complete help of one command. */
export function helpOf(name: string, call: Call, columns: number): string {
  const parts = partsOf(call).map((part) => {
    const text =
      part.name === jsonFlag
        ? 'print one JSON document instead of text'
        : (call.explains?.[part.name] ?? '');
    return [[part.name, part.value].filter(Boolean).join(' '), text] as const;
  });
  return [
    `${wrap(`Usage: lanyard ${[name, usageOf(call)].filter(Boolean).join(' ')}`, columns, ' '.repeat(9))}\n`,
    `${wrap([sentence(call.does), call.notes].filter(Boolean).join(' '), columns)}\n`,
    parts.length > 0 && beside(parts, columns),
    `Exit codes: ${wrap(exitsOf(call), columns, ' '.repeat(12))}\n`,
    `Example:\n  ${exampleOf(name, call)}\n`,
    call.json && `JSON: ${wrap(call.json, columns, ' '.repeat(6))}\n`,
  ]
    .filter(Boolean)
    .join('\n');
}

export const exampleOf = (name: string, { example }: Call): string =>
  ['lanyard', name, example].filter(Boolean).join(' ');

/** @returns The error for an unknown command, with suggestions. */
export function unknownCommand(commands: Calls, words: string): UsageError {
  const known = [
    ...new Set(Object.keys(commands).flatMap((name) => [name, name.split(' ')[0] ?? name])),
  ];
  const [nearest] = known
    .map((name) => ({ name, far: distance(words, name) }))
    .sort((one, other) => one.far - other.far);
  const isNear = nearest !== undefined && nearest.far <= Math.max(2, nearest.name.length / 3);
  return new UsageError(
    `There is no command “${words}”.${isNear ? ` Did you mean “lanyard ${nearest.name}”?` : ''}\n\nUsage: lanyard COMMAND; “lanyard --help” shows them all.`,
  );
}
