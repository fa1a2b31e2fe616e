/**
 * The Python client, built and installed as its users do, against a server. It needs Debian's
 * Python with httpx, setuptools, wheel and mypy.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { isInstalled } from '../support/installed.js';
import { blocksOf, readText } from '../support/markdown.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../support/names.js';
import { lists, mirroredIn, storedIn } from './mirrored.js';
import { Work } from './work.js';

const describeHere = isInstalled('mypy') ? describe : describe.skip;
const python = '/usr/bin/python3';
const directory = mkdtempSync(join(tmpdir(), 'lanyard-python-'));
afterAll(() => rmSync(directory, { recursive: true }));
const source = join(directory, 'source');
const installed = join(directory, 'installed');
const example = (name: string) => join(source, 'examples', name);

const app = await startOAuthApp();
const env = {
  ...{ PATH: process.env.PATH, PYTHONPATH: installed, PYTHONWARNINGS: 'error' },
  ...{ LANYARD_URL: app.base, ORGANIZATION: skylineId, TOKEN: await app.token(managerEmail) },
  ...{ EMAIL: managerEmail, OTHER_TOKEN: await app.token(climberEmail) },
  ...{ MEMBER: memberId(climberEmail), TYPE: typeId('rf-awareness'), CLIENT_ID: 'demo-dashboard' },
};

async function run(program: string, args: readonly string[], more = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    ...{ cwd: source, env: { ...env, ...more } },
  });
  return stdout + stderr;
}

const build = `
import sys, zipfile
from setuptools import build_meta
target, installed = sys.argv[1:]
wheel = zipfile.ZipFile(f"{target}/{build_meta.build_wheel(target)}")
wheel.extractall(installed)
print(wheel.namelist())`;

describeHere('clients/python', () => {
  let built = '';
  beforeAll(async () => {
    cpSync(join(packageRoot, 'clients/python'), source, { recursive: true });
    built = await run(python, ['-c', build, directory, installed], { PYTHONWARNINGS: '' });
  });

  test('the wheel has the modules, their types and the licence', () => {
    for (const file of ['client.py', 'models.py', 'operations.py', 'py.typed'])
      expect(built).toContain(`'lanyard/${file}'`);
    expect(built).toMatch(/LICENSE/);
    const { version } = JSON.parse(readText('package.json'));
    expect(built).toContain(`lanyard_client-${version}.dist-info`);
    expect(readText('clients/python/CHANGELOG.md')).toContain(`## ${version}\n`);
    expect(readText('clients/python/LICENSE')).toBe(readText('LICENSE'));
  });

  test('mypy accepts the package and its examples, and rejects what is wrong', async () => {
    const paths = ['src', 'examples', 'tests'].map((folder) => join(source, folder));
    const settings = ['--config-file', 'pyproject.toml', '--cache-dir', join(directory, 'mypy')];
    const more = { PYTHONPATH: '', MYPYPATH: join(source, 'src') };
    expect(await run('mypy', [...settings, ...paths], more)).toMatch(/^Success: no issues found/);
  });

  test('its own tests pass', async () => {
    const output = await run(python, ['-m', 'unittest', 'discover', '--start', 'tests']);
    expect(output).toMatch(/Ran 1\d tests[\s\S]+\nOK\n/);
  });

  test('the program of the README is the example, and runs', async () => {
    const [block, command] = blocksOf(readText('clients/python/README.md'));
    expect(block?.text).toBe(readFileSync(example('certifications.py'), 'utf8'));
    const inPlace = `cd examples && PATH=${dirname(python)}:$PATH && ${command?.text}`;
    const printed = await run('sh', ['-c', inPlace], { BASE: app.base });
    expect(printed).toMatch(/^(.+ ended on \d{4}-\d\d-\d\d\n)+$/);
  });

  test('the example of a create adds one member, however often it runs', async () => {
    for (const _ of [1, 2]) expect(await run(python, [example('create.py')])).toBe('invited\n');
    expect(
      await app.db.query(`select id from organization_members where external_id = 'HR-0818'`),
    ).toHaveLength(1);
  });

  test('the mirror equals the tables after it was killed among writes', async () => {
    const MIRROR = join(directory, 'mirror.sqlite');
    const TOKENS = JSON.stringify({ access_token: env.TOKEN });
    const startMirror = (): ChildProcess =>
      spawn(python, [example('mirror.py')], {
        ...{ env: { ...env, MIRROR, TOKENS }, stdio: ['ignore', 'ignore', 'inherit'] },
      });
    const work = new Work(app);
    const writes = work.writeBeside();
    for (let kills = 0; kills < 5; kills++) {
      const mirror = startMirror();
      await delay(500 + 300 * kills);
      expect(mirror.exitCode).toBeNull();
      mirror.kill('SIGKILL');
      await once(mirror, 'exit');
    }
    work.isOver = true;
    await writes;
    const last = startMirror();
    const expected = await Promise.all(lists.map((list) => storedIn(app.db, list)));
    // Each program may have been killed before it created the file.
    const mirrored = () =>
      existsSync(MIRROR) ? lists.map((list) => mirroredIn(MIRROR, list)) : [];
    const deadline = performance.now() + 20_000;
    while (!isDeepStrictEqual(mirrored(), expected) && performance.now() < deadline)
      await delay(100);
    last.kill('SIGKILL');
    await once(last, 'exit');
    expect(mirrored()).toStrictEqual(expected);
  });
});
