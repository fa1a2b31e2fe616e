import { type Command, parseArguments, UsageError } from '../../src/cli/usage.js';
import { satisfying } from '../support/expect.js';

const command = (usage?: string): Command => ({
  does: 'do it',
  ...(usage && { usage }),
  run: async () => undefined,
});
const org = command('--name NAME --admin E-MAIL [--slug SLUG]');
const app = command('CLIENT_ID [--off]');

describe('parseArguments', () => {
  it('gives options, operands and flags by their names', () => {
    expect(
      parseArguments('org create', org, ['--admin', 'a@b.example', '--name=Two Words']),
    ).toStrictEqual({
      admin: 'a@b.example',
      name: 'Two Words',
    });
    expect(parseArguments('apps x', app, ['--off', 'demo-sync'])).toStrictEqual({
      CLIENT_ID: 'demo-sync',
      off: 'true',
    });
    expect(parseArguments('apps x', app, ['demo-sync'])).toStrictEqual({ CLIENT_ID: 'demo-sync' });
    expect(parseArguments('user reset', command('E-MAIL'), ['a@b.example'])).toStrictEqual({
      'E-MAIL': 'a@b.example',
    });
    expect(parseArguments('purge', command(), [])).toStrictEqual({});
  });

  for (const [given, args, message] of [
    [
      org,
      ['--name', 'X'],
      /^Missing: --admin\.\n\nUsage: lanyard it --name NAME --admin E-MAIL \[--slug SLUG\]$/,
    ],
    [org, ['--name', '', '--admin', 'a@b.example'], /^Missing: --name\./],
    [org, ['--name', 'X', '--admin', 'a@b.example', '--slug', ''], /^Missing: --slug\./],
    [app, [], /^Missing: CLIENT_ID\./],
    [app, ['demo-sync', 'more'], /^Unexpected argument: “more”\./],
    [app, ['demo-sync', '--all'], /Unknown option '--all'/],
    [command(), ['more'], /Unexpected argument 'more'/],
  ] as const) {
    it(`refuses "${args.join(' ')}" for ${given.usage ?? 'nothing'}`, () =>
      expect(() => parseArguments('it', given, args)).toThrow(
        satisfying((error) => error instanceof UsageError && message.test(error.message)),
      ));
  }
});
