import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Command, parseArguments, UsageError } from '../../src/operator/usage.js';

const command = (usage?: string): Command => ({ does: 'do it', ...(usage && { usage }), run: async () => undefined });
const org = command('--name NAME --admin E-MAIL [--slug SLUG]');
const app = command('CLIENT_ID [--off]');

describe('parseArguments', () => {
  it('gives options, operands and flags by their names', () => {
    assert.deepEqual(parseArguments('org create', org, ['--admin', 'a@b.example', '--name=Two Words']), {
      admin: 'a@b.example',
      name: 'Two Words',
    });
    assert.deepEqual(parseArguments('apps x', app, ['--off', 'demo-sync']), { CLIENT_ID: 'demo-sync', off: 'true' });
    assert.deepEqual(parseArguments('apps x', app, ['demo-sync']), { CLIENT_ID: 'demo-sync' });
    assert.deepEqual(parseArguments('user reset', command('E-MAIL'), ['a@b.example']), { 'E-MAIL': 'a@b.example' });
    assert.deepEqual(parseArguments('purge', command(), []), {});
  });

  for (const [given, args, message] of [
    [org, ['--name', 'X'], /^Missing: --admin\.\n\nUsage: lanyard it --name NAME --admin E-MAIL \[--slug SLUG\]$/],
    [org, ['--name', '', '--admin', 'a@b.example'], /^Missing: --name\./],
    [org, ['--name', 'X', '--admin', 'a@b.example', '--slug', ''], /^Missing: --slug\./],
    [app, [], /^Missing: CLIENT_ID\./],
    [app, ['demo-sync', 'more'], /^Unexpected argument: “more”\./],
    [app, ['demo-sync', '--all'], /Unknown option '--all'/],
    [command(), ['more'], /Unexpected argument 'more'/],
  ] as const) {
    it(`refuses "${args.join(' ')}" for ${given.usage ?? 'nothing'}`, () =>
      assert.throws(
        () => parseArguments('it', given, args),
        (error) => error instanceof UsageError && message.test(error.message),
      ));
  }
});
