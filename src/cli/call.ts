/** Parses a command line into a call. */
import { commandsOf, helpOf, overview, unknownCommand } from './help.js';
import { type Command, UsageError } from './usage.js';

type Called =
  | { readonly help: string }
  | { readonly name: string; readonly command: Command; readonly args: readonly string[] };

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/**
 * @param columns Width of help.
 * @throws {UsageError} when the words are no command: lists the commands of the group, or
 * suggestions.
 */
export function readCall(
  commands: Readonly<Record<string, Command>>,
  words: readonly string[],
  columns: number,
): Called {
  const asks = words[0] === 'help' || words.some(isHelp);
  const [first = '', second = '', ...rest] = words
    .slice(words[0] === 'help' ? 1 : 0)
    .filter((word) => !isHelp(word));
  if (first === '--version' || first === '-v') return readCall(commands, ['version'], columns);
  const name = [`${first} ${second}`, first].find((each) => Object.hasOwn(commands, each)) ?? '';
  const command = commands[name];
  if (asks && command) return { help: helpOf(name, command, columns) };
  if (command) return { name, command, args: name === first ? words.slice(1) : rest };
  const isGroup = commandsOf(commands, first).length > 0;
  if (asks && isGroup) return { help: overview(commands, first, columns) };
  if (isGroup && second === '') throw new UsageError(overview(commands, first, columns).trimEnd());
  throw unknownCommand(commands, isGroup ? `${first} ${second}` : first);
}
