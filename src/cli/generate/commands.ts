/** The commands in docs/cli.md, from the output of `--help`. */
import { exampleOf, exitsOf } from '../help.js';
import { type Command, jsonFlag, partsOf, usageOf } from '../usage.js';

const [begin, end] = ['<!-- commands: written by npm run generate -->', '<!-- end of commands -->'];

/** @returns The page with the commands between its markers. @throws when there are none. */
export function writeCommands(page: string, commands: Readonly<Record<string, Command>>): string {
  const [from, until] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || until < from)
    throw new Error('docs/cli.md has no marks between which the commands go.');
  const sections = Object.entries(commands).map(([name, command]) => sectionOf(name, command));
  return `${page.slice(0, from + begin.length)}\n\n${sections.join('\n')}\n${page.slice(until)}`;
}

function sectionOf(name: string, command: Command): string {
  const { does, notes, exits, explains = {}, json } = command;
  const parts = partsOf(command).filter((part) => part.name !== jsonFlag);
  return [
    `### lanyard ${name}\n`,
    `${does.charAt(0).toUpperCase()}${does.slice(1)}.${notes ? ` ${notes}` : ''}\n`,
    `\`\`\`\nlanyard ${[name, usageOf(command)].filter(Boolean).join(' ')}\n\`\`\`\n`,
    parts.length > 0 &&
      `${parts.map((part) => `- \`${part.name}\`: ${explains[part.name]}`).join('\n')}\n`,
    exits && `Exit codes: ${exitsOf(command)}\n`,
    parts.length > 0 && `Example: \`${exampleOf(name, command)}\`\n`,
    json && `JSON: \`${json}\`\n`,
  ]
    .filter(Boolean)
    .join('\n');
}
