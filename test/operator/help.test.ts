import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import stringWidth from 'string-width';
import { commands } from '../../src/commands/table.js';
import { exampleOf, helpOf, overview, unknownCommand } from '../../src/operator/help.js';
import { jsonFlag, parseArguments, partsOf } from '../../src/operator/usage.js';

/** As a shell does it. */
const wordsOf = (line: string): string[] => [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

for (const [name, command] of Object.entries(commands)) {
  describe(`lanyard ${name}`, () => {
    it('explains each part of its usage, and nothing else', () => {
      const parts = partsOf(command).map((part) => part.name);
      assert.deepEqual(
        Object.keys(command.explains ?? {}),
        parts.filter((part) => part !== jsonFlag),
      );
    });

    it('has an example that it takes', () => {
      const args = wordsOf(exampleOf(name, command)).slice(1 + name.split(' ').length);
      assert.doesNotThrow(() => parseArguments(name, command, args));
    });

    it('has a help that says its exit codes', () => {
      const [, codes = ''] = /^Exit codes: (.*)$/m.exec(helpOf(name, command, Number.POSITIVE_INFINITY)) ?? [];
      const wanted = ['0', '1', '2', ...(name === 'import' ? ['3'] : []), ...(command.isLong ? ['130', '143'] : [])];
      assert.deepEqual(codes.match(/\d+/g), wanted);
    });

    it('has a help that fits a terminal', () => {
      const lines = helpOf(name, command, 80).split('\n');
      const isUnbroken = (line: string) => line.startsWith('  lanyard ');
      for (const line of lines.filter((each) => !isUnbroken(each))) assert.ok(stringWidth(line) <= 80, line);
    });
  });
}

it('every command but serve prints JSON', () =>
  assert.deepEqual(
    Object.entries(commands)
      .filter(([, { json }]) => !json)
      .map(([name]) => name),
    ['serve'],
  ));

describe('overview', () => {
  it('shows all commands, or those that begin with the word, within the width', () => {
    const all = overview(commands, '', 60);
    for (const name of Object.keys(commands)) assert.match(all, new RegExp(`^ {2}${name} `, 'm'));
    for (const line of all.split('\n')) assert.ok(stringWidth(line) <= 60, line);
    assert.doesNotMatch(overview(commands, 'user', 60), /^ {2}(?!user|“| {4})/m);
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
      const [, found] = /Did you mean “lanyard ([^”]*)”/.exec(unknownCommand(commands, words).message) ?? [];
      assert.equal(found, meant);
    });
});
