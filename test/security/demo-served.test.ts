/**
 * A server has demo data in development alone, and lets other machines reach it only where somebody
 * said so.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demoPassword } from '../../src/demo/people.js';
import { send } from '../support/app.js';
import { callLanyard } from '../support/command.js';
import { createDatabase } from '../support/database.js';
import { freePort, runLanyard, startServer } from '../support/server.js';

const directory = mkdtempSync(join(tmpdir(), 'lanyard-demo-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const { url, drop } = await createDatabase();
afterAll(drop);

describe('lanyard serve', () => {
  const ended = async (environment: Record<string, string>) => {
    const run = runLanyard(['serve'], { PORT: String(await freePort()), ...environment });
    return { code: await run.ended, ...run.output };
  };

  it('in production starts no PostgreSQL of its own unasked, and makes no folder for it', async () => {
    const DATA_DIR = join(directory, 'unasked');
    const { code, stderr } = await ended({ NODE_ENV: 'production', DATA_DIR });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ {2}DATABASE_URL: must be set in production: .*"embedded"/m);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('with DATABASE_URL=embedded in production has nobody in it, and prints neither token nor password', async () => {
    const embedded = {
      NODE_ENV: 'production',
      DATABASE_URL: 'embedded',
      DATA_DIR: join(directory, 'production'),
    };
    const server = await startServer({ ...embedded, LOG_LEVEL: 'info' });
    try {
      const list = await callLanyard(['user', 'list', '--json'], embedded);
      expect(JSON.parse(list.stdout)).toStrictEqual({ users: [] });
      while (!server.output.stdout.includes('"ready"')) await delay(20);
      const said = server.output.stdout + server.output.stderr;
      expect(said).not.toMatch(/eyJ|Bearer|skyline/);
      expect(said).not.toContain(demoPassword);
    } finally {
      server.child.kill('SIGTERM');
    }
    expect(await server.ended).toBe(0);
  });

  it('does not let other machines in where there is demo data, and says so before it makes any', async () => {
    for (const environment of [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://tunnel.example' }]) {
      const DATA_DIR = join(directory, 'open');
      for (const where of [{ DATA_DIR }, { DATABASE_URL: url, DEMO_DATA: 'none' }]) {
        const { code, stderr } = await ended({ ...environment, ...where } as Record<
          string,
          string
        >);
        expect([
          stderr,
          [
            code,
            /^Lanyard does not start with demo data where others can reach it: (HOST|BASE_URL) is/.test(
              stderr,
            ),
          ],
        ]).toStrictEqual([stderr, [2, true]]);
      }
      expect(existsSync(DATA_DIR)).toBe(false);
    }
  });

  it('lets them in where somebody said so', async () => {
    const server = await startServer({
      DATABASE_URL: url,
      BASE_URL: 'http://box.example',
      DEMO_DATA: 'public',
    });
    expect((await send(server.base, 'GET', '/livez', {})).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
