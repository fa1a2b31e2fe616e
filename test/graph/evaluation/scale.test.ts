/**
 * The matrix of 1,000 members × 30 qualifications over 40,000 certifications: the same as one
 * hand-written SQL statement finds, in as many statements as for a handful, and in about its time.
 */
import { startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import { countStatements, graphOf } from '../../support/graph.js';
import { managerEmail, skylineId } from '../../support/names.js';

const app = await startApp();
const manager = graphOf(app, managerEmail);

const seed = [
  `insert into certification_types (id, organization_id, slug, title, scope, created_at, updated_at)
   select md5('type' || n)::uuid, $1, 'scale-' || n, 'Type ' || n, 'organization', now(), now() from generate_series(1, 40) n`,
  `insert into qualifications (id, organization_id, slug, name, scope, created_at, updated_at)
   select md5('qualification' || n)::uuid, $1, 'scale-' || n, 'Scale ' || n, 'organization', now(), now() from generate_series(1, 30) n`,
  `insert into qualification_requirements (organization_id, qualification_id, certification_type_id, is_required, position, created_at, updated_at)
   select $1, md5('qualification' || q)::uuid, md5('type' || ((q * 7 + r * 11) % 40 + 1))::uuid, r < 3, r, now(), now()
   from generate_series(1, 30) q, generate_series(0, 4) r`,
  `insert into users (id, email) select md5('user' || n)::uuid, 'scale' || n || '@skyline.example' from generate_series(1, 1000) n`,
  `insert into organization_members (organization_id, id, user_id, email, display_name, role, status, created_at, updated_at)
   select $1, md5('member' || n)::uuid, md5('user' || n)::uuid, 'scale' || n || '@skyline.example', 'Scale ' || n, 'member', 'active', now(), now()
   from generate_series(1, 1000) n`,
  `insert into member_job_roles (organization_id, organization_member_id, job_role_id, created_at, updated_at)
   select $1, md5('member' || n)::uuid, (select id from job_roles where slug = 'rigger'), now(), now() from generate_series(1, 1000) n`,
  `insert into certifications (organization_id, id, organization_member_id, certification_type_id, lifecycle_status, source, issued_on, expires_on,
     verification_status, last_verified_at, created_at, updated_at)
   select $1, md5('record' || n)::uuid, md5('member' || (n % 1000 + 1))::uuid, md5('type' || (n * 13 / 1000 % 40 + 1))::uuid,
     (array['active', 'active', 'active', 'active', 'active', 'active', 'active', 'active', 'archived', 'revoked'])[abs(hashint4(n)) % 10 + 1],
     (array['manual', 'api', 'import', 'self-reported'])[abs(hashint4(n + 1)) % 4 + 1], issued,
     case when n % 9 > 0 then issued + 300 + abs(hashint4(n + 3)) % 900 end,
     case when n % 17 = 0 then 'failed' else 'verified' end, now(), now(), now()
   from generate_series(1, 40000) n, lateral (select current_date - 800 + abs(hashint4(n + 2)) % 830 as issued) dates`,
];

/** As someone would write it who knows the rules by heart and asks for nothing but the counts. */
const byHand = `
  with held as (
    select distinct organization_member_id, certification_type_id from certifications
    where organization_id = $1 and lifecycle_status = 'active' and coalesce(issued_on, current_date) <= current_date
      and (expires_on >= current_date or expires_on is null and issued_on is not null)
      and case source when 'self-reported' then verification_status = 'verified' else verification_status <> 'failed' end)
  select m.id as member, q.id as qualification, count(h.certification_type_id)::int as met, count(*)::int as total
  from organization_members m
  join member_job_roles a on a.organization_id = m.organization_id and a.organization_member_id = m.id
    and a.job_role_id = (select id from job_roles where slug = 'rigger')
  cross join qualifications q
  join qualification_requirements r on r.qualification_id = q.id and r.is_required
  left join held h on h.organization_member_id = m.id and h.certification_type_id = r.certification_type_id
  where m.organization_id = $1 and m.status <> 'suspended' and q.id = any($2)
  group by m.id, q.id, m.display_name order by lower(m.display_name), m.id, array_position($2, q.id)`;

const matrix = `query ($organization: ID!, $role: ID!, $qualifications: [ID!], $first: Int!, $after: String) {
  readiness(organizationId: $organization, jobRoleId: $role, qualificationIds: $qualifications) {
    memberCount
    totals { qualifiedCount }
    members(first: $first, after: $after) {
      nodes { organizationMemberId cells { qualificationId status metRequirementCount totalRequirementCount lostOn } }
      pageInfo { nextCursor }
    }
  }
}`;
const pages = matrix.replace('totals { qualifiedCount }', '');

describe('readiness of 1,000 members for 30 qualifications', () => {
  let variables: { organization: string; role: string; qualifications: string[] };

  beforeAll(async () => {
    for (const statement of seed)
      await app.db.query(statement, statement.includes('$1') ? [skylineId] : []);
    await app.db.query('analyze');
    const [role] = await app.db.query<{ id: string }>(
      `select id from job_roles where slug = 'rigger'`,
    );
    const qualifications = await app.db.query<{ id: string }>(
      `select id from qualifications where slug like 'scale-%' order by id`,
    );
    variables = {
      organization: skylineId,
      role: role?.id ?? '',
      qualifications: qualifications.map(({ id }) => id),
    };
  });

  async function readAll() {
    const { readiness } = await manager.data(matrix, { ...variables, first: 200 });
    const nodes = [...readiness.members.nodes];
    for (let after = readiness.members.pageInfo.nextCursor; after; ) {
      const { members } = (await manager.data(pages, { ...variables, first: 200, after }))
        .readiness;
      nodes.push(...members.nodes);
      after = members.pageInfo.nextCursor;
    }
    return { ...readiness, nodes };
  }

  test('is what one hand-written statement finds, cell by cell', async () => {
    const [{ count } = { count: 0 }] = await app.db.query<{ count: number }>(
      `select count(*)::int as count from certifications where id in (select md5('record' || n)::uuid from generate_series(1, 40000) n)`,
    );
    expect(count).toBe(40_000);
    const rows = await app.db.query<{
      member: string;
      qualification: string;
      met: number;
      total: number;
    }>(byHand, [skylineId, variables.qualifications]);
    const { nodes, totals, memberCount } = await readAll();
    type Cell = {
      qualificationId: string;
      status: string;
      metRequirementCount: number;
      totalRequirementCount: number;
    };
    const cells = nodes.flatMap(
      ({ organizationMemberId, cells }: { organizationMemberId: string; cells: Cell[] }) =>
        cells.map((cell) => ({
          member: organizationMemberId,
          qualification: cell.qualificationId,
          met: cell.metRequirementCount,
          total: cell.totalRequirementCount,
          status: cell.status,
        })),
    );
    expect(memberCount >= 1000).toBe(true);
    expect(cells).toHaveLength(memberCount * 30);
    const expected = rows.map((row) => ({
      ...row,
      status: row.met === row.total ? 'QUALIFIED' : 'NOT_QUALIFIED',
    }));
    const wrong = expected.findIndex(
      (row, index) => JSON.stringify(row) !== JSON.stringify(cells[index]),
    );
    expect(cells[wrong]).toStrictEqual(expected[wrong]);
    const qualified = variables.qualifications.map(
      (id) => rows.filter((row) => row.qualification === id && row.met === row.total).length,
    );
    expect(totals.map((total: { qualifiedCount: number }) => total.qualifiedCount)).toStrictEqual(
      qualified,
    );
    ensure(
      qualified.every((number) => number > 20 && number < 900),
      String(qualified),
    );
  });

  test('takes as many statements for 200 members as for 5', async () => {
    const ask = (first: number) =>
      countStatements(app, () => manager.data(matrix, { ...variables, first }));
    expect([await ask(5), await ask(200)]).toEqual([5, 5]);
  });

  test('takes a time like that of the hand-written statement', async () => {
    const fastest = async (work: () => Promise<unknown>) => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 3; run++) {
        const start = performance.now();
        await work();
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    const hand = await fastest(() => app.db.query(byHand, [skylineId, variables.qualifications]));
    const first = await fastest(() => manager.data(matrix, { ...variables, first: 50 }));
    const all = await fastest(readAll);
    console.info(
      `by hand ${hand.toFixed()} ms; totals and a page of 50 ${first.toFixed()} ms, ratio ${(first / hand).toFixed(2)}; all 30,000 cells ${all.toFixed()} ms, ratio ${(all / hand).toFixed(2)}`,
    );
    expect(first / hand).toBeLessThan(5);
  });
});
