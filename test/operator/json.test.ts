/** What `--json` prints has the shape that help and docs/cli.md say. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { commands } from '../../src/commands/table.js';
import { readConfig } from '../../src/config.js';
import { demoPassword } from '../../src/database/demo/people.js';
import { shapeOf } from '../../src/operator/answer.js';
import { parseArguments } from '../../src/operator/usage.js';
import { startApp } from '../support/app.js';
import { runLanyard } from '../support/server.js';

const app = await startApp();
const directory = mkdtempSync(join(tmpdir(), 'lanyard-json-'));
after(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'members.csv');
writeFileSync(file, 'email,first_name\nada@skyline.example,Ada\n');

/** A call of each command. Those that are missing answer nothing (serve) or write into the package (generate). */
const calls: Readonly<Record<string, readonly string[]>> = {
  migrate: [],
  doctor: [],
  config: [],
  demo: ['--scale', '2'],
  token: ['--user', 'manager@skyline.example', '--app', 'demo-dashboard'],
  import: [file, '--organization', 'skyline-towers', '--user', 'manager@skyline.example', '--kind', 'members'],
  'org list': [],
  'org create': ['--name', 'Ridge', '--admin', 'ada@ridge.example'],
  'user list': [],
  'user create': ['--email', 'new@ridge.example', '--name', 'New'],
  'user reset-password': ['climber@skyline.example'],
  'user disable': ['climber@skyline.example'],
  'user enable': ['climber@skyline.example'],
  'apps list': [],
  'apps show': ['demo-sync'],
  'apps disable': ['demo-reader'],
  'apps enable': ['demo-reader'],
  'apps first-party': ['demo-reader'],
  'dashboard enable': [],
  'keys list': [],
  'keys rotate': [],
  purge: [],
  'audit list': ['--limit', '1'],
  version: [],
};

it('every command has a call here', () =>
  assert.deepEqual(
    Object.keys(calls).sort(),
    Object.keys(commands)
      .filter((name) => !['serve', 'generate'].includes(name))
      .sort(),
  ));

describe('--json', () => {
  const environment = { DATABASE_URL: app.url };
  const given = { environment, config: readConfig(environment), tell: () => {}, signal: new AbortController().signal };
  for (const [name, args] of Object.entries(calls)) {
    it(`of ${name} has the documented shape`, async () => {
      const command = commands[name] ?? assert.fail();
      const answer = await command.run({ ...given, values: parseArguments(name, command, args) });
      assert.equal(shapeOf(JSON.parse(JSON.stringify(answer?.json))), command.json);
    });
  }

  it('is one document on standard output, with the progress as lines of JSON on standard error', async () => {
    const { ended, output } = runLanyard(['demo', '--scale', '4', '--json'], environment);
    assert.equal(await ended, 0);
    assert.deepEqual(JSON.parse(output.stdout), { loaded: false, scale: 4, members_added: 130, password: demoPassword });
    const steps = output.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).progress);
    assert.deepEqual(
      steps.map(({ doing, done, unit }) => [doing, done, unit]),
      [65, 130, 195].map((done) => ['loading', done, 'members']),
    );
    assert.deepEqual(
      steps.map(({ fraction }) => fraction),
      [0.3333, 0.6667, 1],
    );
  });
});
