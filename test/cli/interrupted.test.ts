/**
 * Long work that is interrupted again and again ends with the same records as work that nobody
 * disturbed.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { callLanyard } from '../support/command.js';
import { createDatabase } from '../support/database.js';
import { climberEmail, managerEmail } from '../support/names.js';
import { type Run, runLanyard } from '../support/server.js';

const directory = mkdtempSync(join(tmpdir(), 'lanyard-interrupted-'));
afterAll(() => rmSync(directory, { recursive: true }));

const file = join(directory, 'rows.csv');
const rowCount = 6000;
const lines = Array.from(
  { length: rowCount },
  (_, index) => `${index},${climberEmail},rf-awareness,2026-01-05,Acme ${index}`,
);
writeFileSync(
  file,
  ['external_id,member_email,certification_type_slug,issued_on,issuer_name', ...lines].join('\n'),
);

/** What an import leaves: the records, each with one version and one event. */
const imported = `select c.external_id, c.external_source, c.organization_member_id, c.issued_on, c.issuer_name, c.source, versions, events
  from certifications c
  left join (select certification_id, count(*) as versions from certification_history group by 1) h on h.certification_id = c.id
  left join (select subject_id, count(*) as events from audit_events group by 1) e on e.subject_id = c.id::text
  where c.external_source = 'hr' order by c.external_id`;

/** What demo data is made of: everything but stamps and the salt of passwords. */
const demo = `select to_jsonb(o) - 'updated_at' as row from organizations o
  union all select to_jsonb(u) - 'password_hash' from users u
  union all select to_jsonb(m) - 'updated_at' from organization_members m
  union all select to_jsonb(j) - 'updated_at' from member_job_roles j
  union all select to_jsonb(c) - 'updated_at' from certifications c
  union all select to_jsonb(h) - 'recorded_at' - 'id' from certification_history h
  order by 1`;

const jobs: Readonly<
  Record<
    string,
    {
      readonly args: readonly string[];
      readonly left: string;
      readonly latest: number;
      readonly message: RegExp;
    }
  >
> = {
  import: {
    args: [
      'import',
      file,
      '--organization',
      'skyline-towers',
      '--user',
      managerEmail,
      '--external-source',
      'hr',
      '--partial',
    ],
    left: imported,
    latest: 4,
    message:
      /^Stopped\. Written so far: \d+ created, 0 updated, \d+ unchanged\. Run the same command again/m,
  },
  demo: {
    args: ['demo', '--scale', '13'],
    left: demo,
    latest: 6,
    message: /^Stopped at \d+ of 12 portions\. Run the same command again/m,
  },
};

async function read(url: string, sql: string): Promise<object[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A database for the rest of the file. */
const dropped: (() => Promise<void>)[] = [];
async function freshDatabase(): Promise<string> {
  const { url, drop } = await createDatabase();
  dropped.push(drop);
  return url;
}
afterAll(() => Promise.all(dropped.map((drop) => drop())));

const codes = { SIGINT: 130, SIGTERM: 143, SIGKILL: null };
/** Until it told of so many steps. */
async function until({ child, output, ended }: Run, step: number): Promise<void> {
  while (steps(output.stderr) < step) {
    if (child.exitCode !== null) throw new Error(`It ended: ${output.stderr}`);
    await Promise.race([once(child.stderr ?? child, 'data'), ended]);
  }
}
const steps = (stderr: string): number =>
  stderr.split('\n').filter((line) => line.includes('"progress"')).length;

for (const [name, { args, left, latest, message }] of Object.entries(jobs)) {
  describe(`lanyard ${name}`, () => {
    it('goes on after every kind of end, and comes out as one run does', async () => {
      const [whole, broken] = [await freshDatabase(), await freshDatabase()];
      expect((await callLanyard(args, { DATABASE_URL: whole })).code).toBe(0);
      for (const signal of ['SIGINT', 'SIGKILL', 'SIGTERM'] as const) {
        const run = runLanyard([...args, '--json'], { DATABASE_URL: broken });
        const step = randomInt(1, latest);
        await until(run, step);
        await delay(randomInt(30));
        run.child.kill(signal);
        const code = await run.ended;
        console.info(
          `${signal} after step ${step}: ${steps(run.output.stderr)} steps, exit code ${code}`,
        );
        expect(code).toBe(codes[signal]);
        if (signal === 'SIGKILL') continue;
        expect(run.output.stdout).toBe('');
        const { error } = JSON.parse(run.output.stderr.trim().split('\n').at(-1) ?? '');
        expect(error.code).toBe('interrupted');
        expect(error.message).toMatch(message);
      }
      const expected = await read(whole, left);
      expect(await read(broken, left)).not.toStrictEqual(expected); // it was never interrupted
      expect((await callLanyard(args, { DATABASE_URL: broken })).code).toBe(0);
      expect(await read(broken, left)).toStrictEqual(expected);
    });
  });
}

it('an import that writes all or nothing says that it wrote nothing, when it was still checking', async () => {
  const url = await freshDatabase();
  const run = runLanyard(
    [...(jobs.import?.args ?? []).filter((arg) => arg !== '--partial'), '--json'],
    { DATABASE_URL: url },
  );
  await until(run, 1);
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(130);
  expect(run.output.stderr).toMatch(/"message":"Stopped before anything was written\."/);
  expect(await read(url, imported)).toEqual([]);
});

it('a second signal soon after the first is the same; a later one ends at once', async () => {
  const args = jobs.demo?.args ?? [];
  const twice = runLanyard([...args, '--json'], { DATABASE_URL: await freshDatabase() });
  await until(twice, 1);
  twice.child.kill('SIGINT');
  twice.child.kill('SIGINT');
  expect(await twice.ended).toBe(130);
  expect(twice.output.stderr).toMatch(/"interrupted"/);

  const url = await freshDatabase();
  const holder = new pg.Client(url);
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin; lock table users');
  const stuck = runLanyard([...args, '--json'], { DATABASE_URL: url });
  const isWaiting = async () =>
    (
      await read(
        url,
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).length > 0;
  while (!(await isWaiting())) await delay(20);
  stuck.child.kill('SIGINT');
  await delay(1200);
  stuck.child.kill('SIGINT');
  expect(await stuck.ended).toBe(130);
  expect(stuck.output.stderr).toBe('');
});
