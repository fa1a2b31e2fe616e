import type { MikroORM } from '@mikro-orm/postgresql';
import { verifyPassword } from '../../src/auth/password.js';
import { apiScopes } from '../../src/auth/scopes.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { demoId } from '../../src/demo/ids.js';
import { loadDemo } from '../../src/demo/load.js';
import { demoPassword, demoPeople } from '../../src/demo/people.js';
import {
  type Certification,
  lifecycleStatuses,
  sources,
  validityStatuses,
  verificationStatuses,
} from '../../src/entities/certification.js';
import { entities } from '../../src/entities/tables.js';
import type { HeldRecord } from '../../src/rules/evaluation/evidence.js';
import {
  evaluate,
  type Requirement,
  requiredTypes,
  typesHeld,
} from '../../src/rules/evaluation/result.js';
import { validityOn } from '../../src/rules/validity.js';
import { today } from '../../src/scalars/day.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';

const skyline = demoId('organization', 'skyline-towers');
const harbor = demoId('organization', 'harbor-fiber');
const catalogue = demoId('organization', 'catalogue');

describe('loadDemo', () => {
  let database: TestDatabase;
  let orm: MikroORM;
  let db: Database;
  let outcomes: string[];
  let milliseconds: number;

  beforeAll(async () => {
    database = await createDatabase();
    orm = await connect(database.url, { poolSize: 4, entities, timeLimits: false });
    db = new Database(orm.em);
    await db.query('alter table audit_events disable trigger user');
    await db.query('truncate organizations, users, apps cascade');
    const start = performance.now();
    outcomes = await Promise.all([loadDemo(db), loadDemo(db)]);
    milliseconds = performance.now() - start;
  });

  afterAll(async () => {
    await orm.close();
    await database.drop();
  });

  const count = async (table: string) =>
    (await db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;

  it('loads once, within three seconds, when two processes start at once', () => {
    expect(outcomes.sort()).toEqual(['loaded', 'present']);
    ensure(milliseconds < 3000, `${milliseconds} ms`);
  });

  it('changes nothing the second time', async () => {
    const tables = [...orm.getMetadata().getAll().values()].map(({ tableName }) => tableName);
    const counts = () => Promise.all(tables.map(count));
    const before = await counts();
    expect(await loadDemo(db)).toBe('present');
    expect(await counts()).toStrictEqual(before);
  });

  it('fills the catalogue and two tenants', async () => {
    const sizes = await db.query(
      `select slug, is_publisher as publisher,
         (select count(*) from organization_members m where m.organization_id = o.id) as members,
         (select array[count(*), count(*) filter (where scope = 'standard')]::int[] from certification_types d where d.organization_id = o.id) as types,
         (select array[count(*), count(*) filter (where scope = 'standard')]::int[] from qualifications d where d.organization_id = o.id) as qualifications,
         (select array[count(*), count(*) filter (where scope = 'standard')]::int[] from job_roles d where d.organization_id = o.id) as roles,
         exists (select from qualification_requirements r where r.organization_id = o.id and not is_required) as optional
       from organizations o order by slug`,
    );
    const own = {
      publisher: false,
      types: [3, 0],
      qualifications: [2, 0],
      roles: [2, 0],
      optional: true,
    };
    expect(sizes).toStrictEqual([
      {
        slug: 'catalogue',
        publisher: true,
        members: 0,
        types: [25, 25],
        qualifications: [10, 10],
        roles: [10, 10],
        optional: false,
      },
      { slug: 'harbor-fiber', members: 25, ...own },
      { slug: 'skyline-towers', members: 40, ...own },
    ]);
  });

  for (const [slug, organizationId] of Object.entries({ skyline, harbor }))
    it(`has certifications of ${slug} in every state and from every source`, async () => {
      const records = await recordsOf(organizationId);
      const has = new Set(
        records.map(
          (record) =>
            `${record.lifecycleStatus} ${record.verificationStatus} ${validityOn(today(), 30, record)}`,
        ),
      );
      const all = lifecycleStatuses.flatMap((lifecycle) =>
        verificationStatuses.flatMap((verification) =>
          validityStatuses.map((validity) => `${lifecycle} ${verification} ${validity}`),
        ),
      );
      expect([...has].sort()).toStrictEqual(all.sort());
      for (const source of sources)
        ensure(
          records.some((record) => record.source === source),
          source,
        );
    });

  it('stamps the rows of an organization by its clock, each with its own, none before it was made', async () => {
    const owned = [
      'certification_types',
      'qualifications',
      'qualification_requirements',
      'job_roles',
      'organization_members',
      'member_job_roles',
    ];
    const rows = [...owned, 'certifications'].map(
      (table) => `select organization_id, created_at, updated_at from ${table}`,
    );
    const found = await db.query(
      `select organization_id as id, count(*) - count(distinct updated_at) as same, count(*) filter (where created_at > updated_at) as early,
         max(updated_at) = (select ticked_at from organization_clocks k where k.organization_id = r.organization_id) as ticked
       from (${rows.join(' union all ')} union all select id, created_at, updated_at from organizations) r group by 1 order by 1`,
    );
    expect(found).toStrictEqual(
      [skyline, harbor, catalogue].sort().map((id) => ({ id, same: 0, early: 0, ticked: true })),
    );
  });

  it('verifies no record before it was entered, or after now', async () => {
    expect(
      await count(
        'certifications where last_verified_at not between created_at and now() or issued_on > created_at::date',
      ),
    ).toBe(0);
  });

  it('lets everyone sign in with the demo password who is more than invited', async () => {
    const users = await db.query<{ passwordHash: string; isProven: boolean }>(
      `select distinct password_hash as "passwordHash", email_proven_at is not null as "isProven" from users`,
    );
    expect(users).toHaveLength(1);
    expect(users[0]?.isProven).toBe(true);
    expect(await verifyPassword(users[0]?.passwordHash, demoPassword)).toBe(true);
    expect(await count("organization_members where (status = 'invited') <> (user_id = id)")).toBe(
      0,
    );
  });

  it('has the named people', async () => {
    const members = await db.query(
      `select m.email, m.role, m.status, m.is_primary as "isPrimary", o.slug from organization_members m join organizations o on o.id = organization_id
       where m.email = any($1) order by email, slug desc`,
      [demoPeople.map(({ email }) => email)],
    );
    expect(members).toStrictEqual([
      {
        email: 'admin@harbor.example',
        role: 'admin',
        status: 'active',
        isPrimary: true,
        slug: 'harbor-fiber',
      },
      {
        email: 'admin@skyline.example',
        role: 'admin',
        status: 'active',
        isPrimary: true,
        slug: 'skyline-towers',
      },
      {
        email: 'both@skyline.example',
        role: 'manager',
        status: 'active',
        isPrimary: true,
        slug: 'skyline-towers',
      },
      {
        email: 'both@skyline.example',
        role: 'member',
        status: 'active',
        isPrimary: false,
        slug: 'harbor-fiber',
      },
      {
        email: 'climber@skyline.example',
        role: 'member',
        status: 'active',
        isPrimary: true,
        slug: 'skyline-towers',
      },
      {
        email: 'manager@skyline.example',
        role: 'manager',
        status: 'active',
        isPrimary: true,
        slug: 'skyline-towers',
      },
    ]);
  });

  it('qualifies the climber to climb under supervision and not to lead', async () => {
    expect((await climberAs('supervised-climber')).status).toBe('qualified');
    expect(await climberAs('lead-climber')).toStrictEqual({
      status: 'not_qualified',
      metRequirementCount: 2,
      totalRequirementCount: 5,
      missingCertificationTypeIds: ['nwsa-ttt2', 'competent-climber', 'competent-rescuer'].map(
        (slug) => demoId('certification-type', slug),
      ),
    });
  });

  it('has most members qualified for all their job roles, and some with gaps', async () => {
    for (const organizationId of [skyline, harbor]) {
      const members = await db.query<{ id: string; roles: string[] }>(
        `select m.id, array_agg(r.job_role_id::text) as roles from organization_members m
         join member_job_roles r on r.organization_id = m.organization_id and r.organization_member_id = m.id
         where m.organization_id = $1 and m.status = 'active' group by m.id`,
        [organizationId],
      );
      const ready = await Promise.all(
        members.map(async ({ id, roles }) => {
          const records = await recordsOf(organizationId, id);
          const requirements = await db.query<Requirement & { qualificationId: string }>(
            `select qualification_id as "qualificationId", certification_type_id as "certificationTypeId", is_required as "isRequired"
             from qualification_requirements where qualification_id in (
               select qualification_id from job_role_qualifications where job_role_id = any($1::uuid[]))`,
            [roles],
          );
          const held = typesHeld(today(), records);
          return [
            ...Map.groupBy(requirements, ({ qualificationId }) => qualificationId).values(),
          ].every((each) => evaluate(requiredTypes(each), held).status === 'qualified');
        }),
      );
      const share = ready.filter(Boolean).length / ready.length;
      expect(share).toBeGreaterThan(0.7);
      expect(share).toBeLessThan(0.95);
    }
  });

  it('has records that were entered weeks after they were issued, and reasons for those that ended', async () => {
    expect(
      Number(await count('certifications where created_at::date > issued_on + 13')),
    ).toBeGreaterThan(50);
    const ended = `certification_history h join certifications c on c.organization_id = h.organization_id and c.id = h.certification_id
      where (c.lifecycle_status = 'active') <> (h.reason is null)`;
    expect(Number(await count(ended))).toBe(0);
  });

  it('has each app approved as its part asks', async () => {
    const approvals = await db.query(
      `select a.client_id as app, o.slug, p.scopes, u.email as by from apps a join app_approvals p on p.app_id = a.id
       join organizations o on o.id = p.organization_id join users u on u.id = p.approved_by order by app, slug`,
    );
    const sync = ['organizations', 'organization_members', 'certification_records'].flatMap(
      (family) => [`${family}:read`, `${family}:write`],
    );
    const reads = apiScopes.filter((scope) => scope.endsWith(':read'));
    expect(approvals).toStrictEqual([
      {
        app: 'demo-pending',
        slug: 'skyline-towers',
        scopes: ['organizations:read'],
        by: 'admin@skyline.example',
      },
      { app: 'demo-reader', slug: 'skyline-towers', scopes: reads, by: 'admin@skyline.example' },
      { app: 'demo-sync', slug: 'harbor-fiber', scopes: sync, by: 'admin@harbor.example' },
      { app: 'demo-sync', slug: 'skyline-towers', scopes: sync, by: 'admin@skyline.example' },
    ]);
    const apps = await db.query(
      `select client_id as app, token_endpoint_auth_method as authentication, is_first_party as "isFirstParty", api_scopes as scopes
       from apps order by 1`,
    );
    expect(apps).toStrictEqual([
      { app: 'demo-dashboard', authentication: 'none', isFirstParty: true, scopes: apiScopes },
      {
        app: 'demo-pending',
        authentication: 'none',
        isFirstParty: false,
        scopes: ['organizations:read', 'certification_records:read'],
      },
      { app: 'demo-reader', authentication: 'none', isFirstParty: false, scopes: reads },
      {
        app: 'demo-sync',
        authentication: 'client_secret_basic',
        isFirstParty: false,
        scopes: sync,
      },
    ]);
  });

  const recordsOf = (organizationId: string, member?: string) =>
    db.query<HeldRecord & Pick<Certification, 'source'>>(
      `select certification_type_id as "certificationTypeId", lifecycle_status as "lifecycleStatus", verification_status as "verificationStatus",
         source, issued_on as "issuedOn", expires_on as "expiresOn"
       from certifications where organization_id = $1 and organization_member_id = coalesce($2, organization_member_id)`,
      [organizationId, member ?? null],
    );

  async function climberAs(qualification: string) {
    const requirements = await db.query<Requirement>(
      `select certification_type_id as "certificationTypeId", is_required as "isRequired"
       from qualification_requirements where qualification_id = $1 order by position`,
      [demoId('qualification', qualification)],
    );
    const records = await recordsOf(
      skyline,
      demoId('member', 'skyline-towers/climber@skyline.example'),
    );
    return evaluate(requiredTypes(requirements), typesHeld(today(), records));
  }
});
