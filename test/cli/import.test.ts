import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../support/app.js';
import { callLanyard } from '../support/command.js';
import {
  adminEmail,
  climberEmail,
  managerEmail,
  memberId,
  skylineId,
  userId,
} from '../support/names.js';

const app = await startApp();
const { db } = app;
const directory = mkdtempSync(join(tmpdir(), 'lanyard-import-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Calls `lanyard import` on a file with these lines. */
async function importing(lines: readonly string[], ...options: string[]) {
  const file = join(directory, 'rows.csv');
  rmSync(`${file}.rejected.csv`, { force: true });
  writeFileSync(file, lines.join('\n'));
  const args = [
    'import',
    file,
    '--organization',
    'skyline-towers',
    '--user',
    managerEmail,
    ...options,
  ];
  const ended = await callLanyard(args, { DATABASE_URL: app.url });
  const report = existsSync(`${file}.rejected.csv`)
    ? readFileSync(`${file}.rejected.csv`, 'utf8')
    : undefined;
  return { ...ended, report };
}

const header = 'external_id,member_email,certification_type_slug,issued_on,issuer_name';
const line = (id: string, rest = '2026-01-05,"Acme, Ltd"') =>
  `${id},${climberEmail},rf-awareness,${rest}`;
const stored = (source: string) =>
  db.query<Record<string, unknown>>(
    `select external_id as id, issuer_name as issuer, source, organization_member_id as holder, updated_at as "updatedAt" from certifications
     where organization_id = $1 and external_source = $2 order by external_id`,
    [skylineId, source],
  );

describe('lanyard import', () => {
  it('brings certifications in, in the name of the person; the same file again changes nothing', async () => {
    const lines = [`\uFEFF${header}`, line('1'), line('2', '2026-01-06,')];
    const first = await importing(lines, '--external-source', 'hr');
    expect([first.code, first.stderr, first.report]).toStrictEqual([0, '', undefined]);
    expect(first.stdout).toBe('Imported: 2 created, 0 updated, 0 unchanged, 0 refused.\n');
    const records = await stored('hr');
    const common = { source: 'import', holder: memberId(climberEmail) };
    expect(records.map(({ updatedAt, ...rest }) => rest)).toStrictEqual([
      { id: '1', issuer: 'Acme, Ltd', ...common },
      { id: '2', issuer: null, ...common },
    ]);
    const events = await db.query(
      `select distinct e.user_id as "userId" from audit_events e join certifications c on c.id::text = e.subject_id where c.external_source = 'hr'`,
    );
    expect(events).toStrictEqual([{ userId: userId(managerEmail) }]);

    expect((await importing(lines, '--external-source', 'hr')).stdout).toBe(
      'Imported: 0 created, 0 updated, 2 unchanged, 0 refused.\n',
    );
    expect(await stored('hr')).toStrictEqual(records);
  });

  it('writes nothing of a file with a row that fails, and the others when asked to; the refused rows are told', async () => {
    const lines = [
      header,
      line('1'),
      line('2', '2026-02-30,"A ""quoted"" name"'),
      line('1'),
      `3,nobody@else.example,no-such,,`,
    ];
    const report = [
      'line,problems,external_id,external_source,organization_member_id,member_external_id,member_email,certification_type_id,certification_type_slug,issued_on,expires_on,issuer_name,serial_number',
      `4,external_id is already the key of line 2,1,bad,,,${climberEmail},,rf-awareness,2026-01-05,,"Acme, Ltd",`,
      `3,"issued_on must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31",2,bad,,,${climberEmail},,rf-awareness,2026-02-30,,"A ""quoted"" name",`,
      '5,member_email is not a member of this organization; certification_type_slug is not an active certification type that this organization can use,3,bad,,,nobody@else.example,,no-such,,,,',
      '',
    ].join('\n');
    const whole = await importing(lines, '--external-source', 'bad');
    expect(whole.stdout).toMatch(
      /^Nothing was written; it would have been: 1 created, 0 updated, 0 unchanged, 3 refused\.\nThe refused rows, with the reasons: .*rows\.csv\.rejected\.csv\n$/,
    );
    expect([whole.code, whole.report]).toStrictEqual([3, report]);
    expect(await stored('bad')).toEqual([]);

    const dry = await importing(lines, '--external-source', 'bad', '--partial', '--dry-run');
    expect(dry.stdout).toMatch(/^Nothing was written; it would have been: 1 created/);
    expect(await stored('bad')).toEqual([]);
    const partial = await importing(lines, '--external-source', 'bad', '--partial');
    expect(partial.stdout).toMatch(/^Imported: 1 created, 0 updated, 0 unchanged, 3 refused\./);
    expect([partial.code, partial.report]).toStrictEqual([3, report]);
    expect(await stored('bad')).toHaveLength(1);
  });

  it('takes more rows than one transaction has, and members', async () => {
    const members = Array.from(
      { length: 1500 },
      (_, index) => `hr-${index},person${index}@skyline.example,Ada,Number ${index}`,
    );
    const lines = ['external_id,email,first_name,last_name', ...members];
    const { stdout, code } = await importing(lines, '--kind', 'members');
    expect([code, stdout]).toEqual([
      0,
      'Imported: 1500 created, 0 updated, 0 unchanged, 0 refused.\n',
    ]);
    const [row] = await db.query(
      `select count(*)::int as members, count(distinct updated_at)::int as stamps, min(display_name) as name from organization_members
       where organization_id = $1 and external_id like 'hr-%' and status = 'invited' and user_id = id`,
      [skylineId],
    );
    expect(row).toStrictEqual({ members: 1500, stamps: 1500, name: 'Ada Number 0' });
    expect((await importing(lines, '--kind', 'members', '--user', adminEmail)).stdout).toMatch(
      /1500 unchanged/,
    );
  });

  for (const [name, lines, options, message, code] of [
    [
      'an unknown column',
      ['external_id,colour', '1,red'],
      [],
      /columns that are unknown or doubled: colour\. Known are external_id, /,
      2,
    ],
    [
      'a row of another length',
      [header, '1,2'],
      [],
      /rows\.csv cannot be read: Invalid Record Length/,
      2,
    ],
    [
      'an unknown kind',
      [header],
      ['--kind', 'cats'],
      /--kind must be one of certifications, members/,
      2,
    ],
    [
      'someone who manages nothing',
      [header],
      ['--user', climberEmail],
      /is not an active admin or manager/,
      1,
    ],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const run = await importing(lines, ...options);
      expect(run.stderr).toMatch(message);
      expect([run.code, run.stdout]).toStrictEqual([code, '']);
    });
  }
});
