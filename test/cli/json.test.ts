/** What `--json` prints has the shape that help and docs/cli.md say. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../src/cli/command-table.js';
import { shapeOf } from '../../src/cli/output/command-output.js';
import { parseArguments } from '../../src/cli/usage.js';
import { readConfig } from '../../src/config.js';
import { demoPassword } from '../../src/demo/people.js';
import { startApp } from '../support/app.js';
import { fail } from '../support/expect.js';
import { runLanyard } from '../support/server.js';

const app = await startApp();
const directory = mkdtempSync(join(tmpdir(), 'lanyard-json-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'members.csv');
writeFileSync(file, 'email,first_name\nada@skyline.example,Ada\n');

/**
 * A call of each command. Those that are missing answer nothing (serve) or write into the package
 * (generate).
 */
const calls: Readonly<Record<string, readonly string[]>> = {
  migrate: [],
  doctor: [],
  config: [],
  demo: ['--scale', '2'],
  token: ['--user', 'manager@skyline.example', '--app', 'demo-dashboard'],
  import: [
    file,
    '--organization',
    'skyline-towers',
    '--user',
    'manager@skyline.example',
    '--kind',
    'members',
  ],
  'org list': [],
  'org publisher': ['skyline-towers'],
  'catalogue load': [],
  'org create': ['--name', 'Ridge', '--admin', 'ada@ridge.example'],
  'org invite': ['ridge', '--email', 'ada@ridge.example'],
  'user list': [],
  'user create': ['--email', 'new@ridge.example', '--name', 'New'],
  'user verify': ['climber@skyline.example'],
  'user reset-password': ['climber@skyline.example'],
  'user disable': ['climber@skyline.example'],
  'user enable': ['climber@skyline.example'],
  'apps list': [],
  'apps show': ['demo-sync'],
  'apps disable': ['demo-reader'],
  'apps enable': ['demo-reader'],
  'apps first-party': ['demo-reader'],
  'dashboard enable': [],
  'graphiql enable': [],
  'reference enable': [],
  'keys list': [],
  'keys rotate': [],
  purge: [],
  'audit list': ['--limit', '1'],
  version: [],
};

it('every command has a call here', () =>
  expect(Object.keys(calls).sort()).toStrictEqual(
    Object.keys(commands)
      // `backup` needs the embedded database: test/cli/backup.test.ts.
      .filter((name) => !['serve', 'generate', 'backup'].includes(name))
      .sort(),
  ));

describe('--json', () => {
  const environment = { DATABASE_URL: app.url };
  const given = {
    environment,
    config: readConfig(environment),
    notify: () => {},
    signal: new AbortController().signal,
  };
  for (const [name, args] of Object.entries(calls)) {
    it(`of ${name} has the documented shape`, async () => {
      const command = commands[name] ?? fail();
      const answer = await command.run({ ...given, values: parseArguments(name, command, args) });
      expect(shapeOf(JSON.parse(JSON.stringify(answer?.json)))).toBe(command.json);
    });
  }

  it('is one document on standard output, with the progress as lines of JSON on standard error', async () => {
    const { ended, output } = runLanyard(
      ['demo', '--scale', '4', '--force', '--json'],
      environment,
    );
    expect(await ended).toBe(0);
    expect(JSON.parse(output.stdout)).toStrictEqual({
      loaded: false,
      scale: 4,
      members_added: 130,
      password: demoPassword,
    });
    const steps = output.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).progress);
    expect(steps.map(({ doing, done, unit }) => [doing, done, unit])).toStrictEqual(
      [65, 130, 195].map((done) => ['loading', done, 'members']),
    );
    expect(steps.map(({ fraction }) => fraction)).toEqual([0.3333, 0.6667, 1]);
  });
});
