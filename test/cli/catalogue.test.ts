/** Who publishes standard definitions, and the catalogue that Lanyard brings. */
import { demoId } from '../../src/demo/ids.js';
import { startApp } from '../support/app.js';
import { callLanyard } from '../support/command.js';
import { createDatabase } from '../support/database.js';

const database = await createDatabase('template1');
await callLanyard(['migrate'], { DATABASE_URL: database.url });
const app = await startApp({}, database);
const { db } = app;

const environment = {
  NODE_ENV: 'production',
  DATABASE_URL: app.url,
  BASE_URL: 'https://lanyard.example',
};

async function lanyard(
  ...args: string[]
): Promise<{ code: number; json: Record<string, unknown>; err: string }> {
  const { code, stdout, stderr } = await callLanyard([...args, '--json'], environment);
  return { code, json: stdout ? JSON.parse(stdout) : {}, err: stderr };
}

/** Rows of the three kinds of definition, and of their links, as they are stored. */
const stored = async () =>
  Promise.all(
    [
      'certification_types',
      'qualifications',
      'qualification_requirements',
      'job_roles',
      'job_role_qualifications',
    ].map((table) => db.query(`select * from ${table} order by 1, 2`)),
  );
const sizes = async () => (await stored()).map(({ length }) => length);
const eventsSince = async (count: number) =>
  (await db.query('select from audit_events')).length - count;

describe('lanyard catalogue load on an empty production database', () => {
  it('makes an organization without members that publishes what the demo publishes, audited', async () => {
    const before = (await db.query('select from audit_events')).length;
    const { code, json } = await lanyard('catalogue', 'load');
    expect([code, json]).toStrictEqual([
      0,
      {
        organization: 'catalogue',
        is_new: true,
        added: 45,
        unchanged: 0,
        restored: [],
        left_out: [],
      },
    ]);
    const [types, qualifications, requirements, roles, needs] = await sizes();
    expect([types, qualifications, roles, needs]).toEqual([25, 10, 10, 10]);
    expect(await eventsSince(before)).toBe(1 + 25 + 10 + 10 + 10 + (requirements ?? 0));
    expect(await db.query('select id from users')).toEqual([]);
    expect(
      await db.query(
        `select distinct scope from certification_types union select scope from qualifications union select scope from job_roles`,
      ),
    ).toStrictEqual([{ scope: 'standard' }]);
    const [climber] = await db.query<{ types: string[] }>(
      `select array_agg(t.slug order by r.position) as types from qualifications q join qualification_requirements r on r.qualification_id = q.id and r.is_required
       join certification_types t on t.id = r.certification_type_id where q.slug = 'supervised-climber'`,
    );
    expect(climber?.types).toEqual([
      'authorized-climber',
      'rf-awareness',
      'osha-10',
      'first-aid-cpr-aed',
    ]);
  });

  it('changes nothing the second time, and leaves no event', async () => {
    const [rows, count] = [await stored(), (await db.query('select from audit_events')).length];
    expect((await lanyard('catalogue', 'load')).json).toStrictEqual({
      organization: 'catalogue',
      is_new: false,
      added: 0,
      unchanged: 45,
      restored: [],
      left_out: [],
    });
    expect(await stored()).toStrictEqual(rows);
    expect(await eventsSince(count)).toBe(0);
  });

  it('adds what is missing, and leaves what the organization changed', async () => {
    await db.query(
      `update certification_types set slug = 'rf', title = 'Our RF' where slug = 'rf-awareness'`,
    );
    await db.query(
      `delete from qualification_requirements where qualification_id = (select id from qualifications where slug = 'pim-tester')`,
    );
    await db.query(
      `update certification_types set status = 'archived' where slug = 'faa-part-107'`,
    );
    await db.query(
      `delete from job_role_qualifications where qualification_id in (select id from qualifications where slug in ('rigging-crew', 'drone-inspector'))`,
    );
    await db.query(
      `delete from qualification_requirements where qualification_id in (select id from qualifications where slug in ('rigging-crew', 'drone-inspector'))`,
    );
    await db.query(`delete from qualifications where slug in ('rigging-crew', 'drone-inspector')`);
    const { json } = await lanyard('catalogue', 'load');
    const leftOut = { restored: [], left_out: ['drone-inspector'] };
    expect(json).toStrictEqual({
      organization: 'catalogue',
      is_new: false,
      added: 1,
      unchanged: 43,
      ...leftOut,
    });
    const [rf] = await db.query<object>(
      `select slug, title from certification_types where slug like 'rf%'`,
    );
    expect(rf).toStrictEqual({ slug: 'rf', title: 'Our RF' });
    const [requirements] = await db.query<{ pim: number; rigging: number }>(
      `select count(*) filter (where q.slug = 'pim-tester')::int as pim, count(*) filter (where q.slug = 'rigging-crew')::int as rigging
       from qualification_requirements r join qualifications q on q.id = r.qualification_id`,
    );
    expect(requirements).toStrictEqual({ pim: 0, rigging: 3 });
  });

  it('loads once when two run at once, and for another publisher under ids of its own', async () => {
    await lanyard('org', 'create', '--name', 'Guild', '--admin', 'ada@guild.example');
    const refused = await lanyard('catalogue', 'load', '--organization', 'guild');
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.err).error.message).toMatch(
      /run “lanyard org publisher guild” first/,
    );
    expect((await lanyard('catalogue', 'load', '--organization', 'nowhere')).code).toBe(1);
    await lanyard('org', 'publisher', 'guild');
    const both = await Promise.all(
      [1, 2].map(() => lanyard('catalogue', 'load', '--organization', 'guild')),
    );
    expect(both.map(({ json }) => json.added).sort()).toEqual([0, 45]);
    const [listed] = await db.query<object>(
      `select is_publisher from organizations where slug = 'guild'`,
    );
    expect(listed).toStrictEqual({ is_publisher: true });
  });
});

describe('lanyard org publisher', () => {
  it('is taken back while nobody else uses a definition, which then are its own', async () => {
    const { json } = await lanyard('org', 'publisher', 'guild', '--off');
    expect(json).toStrictEqual({ organization: 'guild', is_publisher: false, withdrawn: 45 });
    const scopes = await db.query(
      `select distinct t.scope from certification_types t join organizations o on o.id = t.organization_id where o.slug = 'guild'`,
    );
    expect(scopes).toStrictEqual([{ scope: 'organization' }]);
    const events = await db.query(
      `select from audit_events e join organizations o on o.id = e.organization_id where o.slug = 'guild' and e.user_id is null
       and e.action = 'update' and e.changes ? 'isPublisher'`,
    );
    expect(events).toHaveLength(2);
    expect((await lanyard('org', 'publisher', 'guild', '--off')).json.withdrawn).toEqual(0);
  });

  it('makes the definitions of the catalogue standard again with the next load, and nothing else', async () => {
    await lanyard('org', 'publisher', 'guild');
    const count = (await db.query('select from audit_events')).length;
    await db.query(
      `insert into certification_types (id, organization_id, slug, title, description, scope, status, created_at, updated_at)
       select $1, id, 'own', 'Own', '', 'organization', 'active', now(), now() from organizations where slug = 'guild'`,
      [demoId('certification-type', 'own')],
    );
    // Others could not use a qualification that needs a type of the organization alone.
    await db.query(
      `update qualification_requirements r set certification_type_id = $1 from qualifications q join organizations o on o.id = q.organization_id
       where r.qualification_id = q.id and q.slug = 'pim-tester' and o.slug = 'guild' and r.position = 0`,
      [demoId('certification-type', 'own')],
    );
    const { json } = await lanyard('catalogue', 'load', '--organization', 'guild');
    const {
      restored,
      left_out: leftOut,
      ...counts
    } = json as { restored: string[]; left_out: string[] };
    expect(counts).toStrictEqual({ organization: 'guild', is_new: false, added: 0, unchanged: 0 });
    expect(restored.length + leftOut.length).toBe(45);
    expect(restored).toContain('osha-10');
    expect(leftOut[0]).toBe('pim-tester');
    const own = await db.query<{ slug: string }>(
      `select d.slug from (select organization_id, slug, scope from certification_types union all select organization_id, slug, scope from qualifications
         union all select organization_id, slug, scope from job_roles) d
       join organizations o on o.id = d.organization_id where o.slug = 'guild' and d.scope = 'organization' order by 1`,
    );
    expect(own.map(({ slug }) => slug)).toStrictEqual(['own', ...leftOut].sort());
    expect(await eventsSince(count)).toBe(restored.length);
    const again = await lanyard('catalogue', 'load', '--organization', 'guild');
    expect([again.json.unchanged, again.json.restored]).toStrictEqual([restored.length, []]);
  });

  it('says what --off did, and how to undo it', async () => {
    await lanyard('org', 'create', '--name', 'Lone', '--admin', 'ada@lone.example');
    await lanyard('org', 'publisher', 'lone');
    await lanyard('catalogue', 'load', '--organization', 'lone');
    const { stdout } = await callLanyard(['org', 'publisher', 'lone', '--off'], environment);
    expect(stdout).toMatch(
      /^lone no longer publishes .* 45 definitions have the scope organization now/,
    );
    expect(stdout).toMatch(
      /run “lanyard org publisher lone”, then “lanyard catalogue load --organization lone”/,
    );
    await lanyard('org', 'publisher', 'lone');
    const { stdout: loaded } = await callLanyard(
      ['catalogue', 'load', '--organization', 'lone'],
      environment,
    );
    expect(loaded).toMatch(/Made 45 definitions of the catalogue standard again: .*osha-10/);
  });

  it('is not taken from under the records of others', async () => {
    const [type] = await db.query<{ id: string }>(
      `select id from certification_types where slug = 'osha-10' and scope = 'standard'`,
    );
    const [ridge] = await db.query<{ id: string }>(
      `select id from organizations where slug = 'guild'`,
    );
    const qualification = demoId('qualification', 'own');
    await db.query(
      `insert into qualifications (id, organization_id, slug, name, description, scope, status, created_at, updated_at)
      values ($1, $2, 'own', 'Own', '', 'organization', 'active', now(), now())`,
      [qualification, ridge?.id],
    );
    await db.query(
      `insert into qualification_requirements (qualification_id, certification_type_id, organization_id, is_required, position, created_at, updated_at)
       values ($1, $2, $3, true, 0, now(), now())`,
      [qualification, type?.id, ridge?.id],
    );
    const rows = await stored();
    const { code, err } = await lanyard('org', 'publisher', 'catalogue', '--off');
    expect(code).toBe(1);
    expect(JSON.parse(err).error.message).toMatch(
      /^catalogue must stay a publisher: other organizations use its certification types osha-10\.$/,
    );
    expect(await stored()).toStrictEqual(rows);
    expect((await lanyard('org', 'publisher', 'nowhere')).code).toBe(1);
  });
});
