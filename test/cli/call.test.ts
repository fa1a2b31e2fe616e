import { readCall } from '../../src/cli/call.js';
import { commands } from '../../src/cli/command-table.js';
import { UsageError } from '../../src/cli/usage.js';
import { ensure, satisfying } from '../support/expect.js';

const read = (line: string) => readCall(commands, line.split(' ').filter(Boolean), 80);

describe('readCall', () => {
  for (const [line, name, args] of [
    ['serve', 'serve', []],
    ['apps list', 'apps list', []],
    ['apps disable demo-sync --json', 'apps disable', ['demo-sync', '--json']],
    ['migrate now', 'migrate', ['now']],
    ['--version', 'version', []],
    ['-v', 'version', []],
  ] as const) {
    it(`“${line}” calls ${name}`, () => {
      const called = read(line);
      ensure('args' in called);
      expect([called.name, called.command, called.args]).toStrictEqual([
        name,
        commands[name],
        args,
      ]);
    });
  }

  for (const [line, text] of [
    ['--help', /^Usage: lanyard COMMAND …[\s\S]* {2}apps disable /],
    ['help', /^Usage: lanyard COMMAND …/],
    ['-h', /^Usage: lanyard COMMAND …/],
    ['apps --help', /^Usage: lanyard apps …\n\n {2}apps list /],
    ['help apps', /^Usage: lanyard apps …/],
    ['apps disable --help', /^Usage: lanyard apps disable CLIENT_ID \[--json\]\n/],
    ['help apps disable', /^Usage: lanyard apps disable /],
    ['apps disable demo-sync -h', /^Usage: lanyard apps disable /],
  ] as const) {
    it(`“${line}” explains`, () => {
      const called = read(line);
      expect('help' in called ? called.help : '').toMatch(text);
    });
  }

  for (const [line, message] of [
    ['', /^Usage: lanyard COMMAND …/],
    ['org', /^Usage: lanyard org …/],
    ['sing', /^There is no command “sing”\.\n/],
    ['toString', /^There is no command “toString”\.\n/],
    ['migrat', /Did you mean “lanyard migrate”\?/],
    ['user lst', /^There is no command “user lst”\. Did you mean “lanyard user list”\?/],
    ['appps list', /Did you mean “lanyard apps”\?/],
    ['help appps', /Did you mean “lanyard apps”\?/],
  ] as const) {
    it(`“${line}” calls nothing, and is told what there is`, () =>
      expect(() => read(line)).toThrow(
        satisfying((error) => error instanceof UsageError && message.test(error.message)),
      ));
  }
});
