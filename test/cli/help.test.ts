import stringWidth from 'string-width';
import { commands } from '../../src/cli/command-table.js';
import { exampleOf, helpOf, overview, unknownCommand } from '../../src/cli/help.js';
import { jsonFlag, parseArguments, partsOf } from '../../src/cli/usage.js';
import { ensure } from '../support/expect.js';

/** As a shell does it. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

for (const [name, command] of Object.entries(commands)) {
  describe(`lanyard ${name}`, () => {
    it('explains each part of its usage, and nothing else', () => {
      const parts = partsOf(command).map((part) => part.name);
      expect(Object.keys(command.explains ?? {})).toStrictEqual(
        parts.filter((part) => part !== jsonFlag),
      );
    });

    it('has an example that it takes', () => {
      const args = wordsOf(exampleOf(name, command)).slice(1 + name.split(' ').length);
      expect(() => parseArguments(name, command, args)).not.toThrow();
    });

    it('has a help that says its exit codes', () => {
      const [, codes = ''] =
        /^Exit codes: (.*)$/m.exec(helpOf(name, command, Number.POSITIVE_INFINITY)) ?? [];
      const wanted = [
        '0',
        '1',
        '2',
        ...(name === 'import' ? ['3'] : []),
        ...(command.isLong ? ['130', '143'] : []),
      ];
      expect(codes.match(/\d+/g)).toStrictEqual(wanted);
    });

    it('has a help that fits a terminal', () => {
      const lines = helpOf(name, command, 80).split('\n');
      const isUnbroken = (line: string) => line.startsWith('  lanyard ');
      for (const line of lines.filter((each) => !isUnbroken(each)))
        ensure(stringWidth(line) <= 80, line);
    });
  });
}

it('every command but serve prints JSON', () =>
  expect(
    Object.entries(commands)
      .filter(([, { json }]) => !json)
      .map(([name]) => name),
  ).toEqual(['serve']));

describe('overview', () => {
  it('shows all commands, or those that begin with the word, within the width', () => {
    const all = overview(commands, '', 60);
    for (const name of Object.keys(commands)) expect(all).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    for (const line of all.split('\n')) ensure(stringWidth(line) <= 60, line);
    expect(overview(commands, 'user', 60)).not.toMatch(/^ {2}(?!user|“| {4})/m);
  });
});

describe('unknownCommand', () => {
  for (const [words, meant] of [
    ['sevre', 'serve'],
    ['docter', 'doctor'],
    ['key', 'keys'],
    ['keys rotat', 'keys rotate'],
    ['zzzzzzzz', undefined],
    ['', undefined],
  ] as const)
    it(`for “${words}” suggests ${meant ?? 'nothing'}`, () => {
      const [, found] =
        /Did you mean “lanyard ([^”]*)”/.exec(unknownCommand(commands, words).message) ?? [];
      expect(found).toBe(meant);
    });
});
