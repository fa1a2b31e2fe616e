/** Every statement of every list is served by an index, in the order of the list. */
import pg from 'pg';
import { demoId } from '../../src/demo/ids.js';
import { type Response, startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { type Statement, statementsDuring } from '../support/statements.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

const app = await startApp();
const organizationId = demoId('organization', 'skyline-towers');
const organization = `/v1/organizations/${organizationId}`;
const member = demoId('member', 'skyline-towers/climber@skyline.example');
const later = 'updated_after=2026-01-01T00:00:00Z';

const lists = [
  '/v1/organizations',
  '/v1/certifications',
  '/v1/qualifications',
  '/v1/qualifications?q=climb',
  `${organization}/certifications`,
  `${organization}/certifications?organization_member_id=${member}`,
  `${organization}/certifications?external_id=BHR-20001`,
  `${organization}/certifications?external_source=bamboo-hr`,
  `${organization}/organization-members`,
  `${organization}/organization-members?email=climber@skyline.example`,
  `${organization}/organization-members?external_id=SKY-1001`,
  `${organization}/job-roles`,
  `${organization}/certification-types`,
  `${organization}/qualifications`,
  `${organization}/organization-members/${member}/qualifications`,
].flatMap((path) =>
  path.endsWith(`${member}/qualifications`)
    ? [path]
    : [path, `${path}${path.includes('?') ? '&' : '?'}${later}`],
);

/** Lists of GraphQL with the filters and orders of dashboards. */
const inOrder = (field: string, args: string) =>
  ['ASC', 'DESC'].map(
    (direction) =>
      `${field}(organizationId: "${organizationId}", ${args}, direction: ${direction} }) { nodes { id } }`,
  );
const dashboards = [
  ...inOrder('organizationMembers', 'orderBy: { field: DISPLAY_NAME'),
  ...inOrder(
    'organizationMembers',
    'q: "sam", status: ACTIVE, role: "member", orderBy: { field: DISPLAY_NAME',
  ),
  ...inOrder('organizationMembers', 'orderBy: { field: UPDATED_AT'),
  ...inOrder('certifications', 'orderBy: { field: EXPIRES_ON'),
  ...inOrder(
    'certifications',
    'expiresFrom: "2026-01-01", expiresUntil: "2027-01-01", orderBy: { field: EXPIRES_ON',
  ),
  ...['VALID', 'EXPIRING', 'EXPIRED', 'UNKNOWN'].flatMap((status) =>
    inOrder(
      'certifications',
      `validityStatus: ${status}, lifecycleStatus: ACTIVE, orderBy: { field: EXPIRES_ON`,
    ),
  ),
  ...inOrder(
    'certifications',
    `certificationTypeId: "${demoId('certification-type', 'rf-awareness')}", orderBy: { field: EXPIRES_ON`,
  ),
  ...inOrder(
    'certifications',
    'verificationStatus: FAILED, q: "sam", orderBy: { field: EXPIRES_ON',
  ),
  ...inOrder('certifications', 'orderBy: { field: ISSUED_ON'),
  ...inOrder('certifications', 'orderBy: { field: UPDATED_AT'),
  ...inOrder(
    'certifications',
    `jobRoleId: "${demoId('job-role', 'rigger')}", orderBy: { field: EXPIRES_ON`,
  ),
  ...inOrder(
    'organizationMembers',
    `jobRoleId: "${demoId('job-role', 'rigger')}", orderBy: { field: DISPLAY_NAME`,
  ),
  `certifications(organizationId: "${organizationId}", validityStatus: EXPIRED, q: "sam") { totalCount }`,
  `organizationMembers(organizationId: "${organizationId}", q: "sam", jobRoleId: "${demoId('job-role', 'rigger')}") { totalCount }`,
  `organizationMembers(organizationId: "${organizationId}", first: 3) { nodes { certifications(first: 1) { totalCount } } }`,
  ...[
    '',
    `(subjectType: "Certification", subjectId: "${member}")`,
    `(userId: "${demoId('user', 'admin@skyline.example')}", action: "update")`,
    '(action: "create", occurredFrom: "2026-01-01T00:00:00Z", occurredBefore: "2027-01-01T00:00:00Z")',
  ].map(
    (filters) =>
      `organization(id: "${organizationId}") { auditEvents${filters} { nodes { id userDisplayName appName changes { to } } } }`,
  ),
];

describe('plans of the lists', () => {
  const client = new pg.Client(app.url);
  beforeAll(async () => {
    await client.connect();
    // The tables are small: what stays a scan or a sort when both are made dear has no index to be
    // served by.
    await client.query(
      'set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off; set jit = off',
    );
  });

  const check = async (statements: readonly Statement[], mayBeSorted = false) => {
    expect(statements.length).toBeGreaterThan(0);
    for (const [sql] of statements) {
      // As sessions have them planned: for any value.
      const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`);
      const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan);
      expect(
        nodes
          .filter((node) => node['Node Type'] === 'Seq Scan')
          .map((node) => node['Relation Name']),
      ).toEqual([]);
      if (!mayBeSorted)
        ensure(
          !nodes.some((node) => node['Node Type'].endsWith('Sort')),
          nodes.map((node) => node['Node Type']).join(' '),
        );
    }
  };

  for (const path of lists) {
    test(`GET ${path}`, async () =>
      check(await statementsOf(async (token) => app.rest('GET', path, { token })), isShort(path)));
  }

  for (const field of dashboards) {
    test(field.replaceAll(/[0-9a-f-]{36}/g, '{id}'), async () =>
      check(
        await statementsOf((token) => app.graphql(`{ ${field} }`, {}, { token }), personFor(field)),
        field.includes('first: 3'),
      ),
    );
  }

  test('what no index serves is planned for its values, a record is found together with others', async () => {
    const waysOf = async (field: string) =>
      (await statementsOf((token) => app.graphql(`{ ${field} }`, {}, { token }))).map(
        ([, , way]) => way,
      );
    const list = (args: string) =>
      `certifications(organizationId: "${organizationId}"${args}) { nodes { id } totalCount }`;
    expect(await waysOf(list(''))).toEqual(['query', 'query']);
    expect(await waysOf(list(', lifecycleStatus: ACTIVE'))).toEqual(['query', 'query']);
    expect(await waysOf(list(', q: "sam"'))).toEqual(['replanned', 'replanned']);
    expect(await waysOf(list(', expiresFrom: "2026-01-01"'))).toEqual(['replanned', 'replanned']);
    expect(await waysOf('qualifications { nodes { id } }')).toEqual(['query']);
    expect(await waysOf(`organization(id: "${organizationId}") { name }`)).toEqual(['batched']);
  });

  describe('in a large organization, a record by a key is found by the index of the key', () => {
    beforeAll(async () => {
      for (const who of ['both@skyline.example', 'climber@skyline.example']) await app.token(who);
      await client.query(`begin;
        set local enable_sort = on;
        insert into organization_members (organization_id, id, user_id, email, status, external_id, created_at, updated_at)
          select '${organizationId}', id, id, id || '@large.example', 'invited', id::text, now(), now()
          from (select gen_random_uuid() as id from generate_series(1, 20000)) made;
        insert into certifications (organization_id, id, organization_member_id, certification_type_id, source, external_id, external_source, created_at, updated_at)
          select organization_id, gen_random_uuid(), id, '${demoId('certification-type', 'rf-awareness')}', 'import', id::text, 'bamboo-hr', now(), now()
          from organization_members where email like '%@large.example';
        analyze organization_members; analyze certifications`);
    });
    afterAll(() => client.query('rollback'));

    const inOrganization = (field: string, key: string) =>
      `${field}(organizationId: "${organizationId}", ${key}) { id }`;
    const found: Readonly<Record<string, readonly [field: string, ...keys: string[]]>> = {
      organization_members_pkey: [
        inOrganization('findOrganizationMember', `id: "${member}"`),
        'organization_id = $1',
        'id = $2',
      ],
      organization_members_email_key: [
        inOrganization('findOrganizationMember', 'email: "Climber@skyline.example"'),
        'organization_id = $1',
        'lower(email) = lower($2)',
      ],
      organization_members_external_id_key: [
        inOrganization('findOrganizationMember', 'externalId: "SKY-1001"'),
        'organization_id = $1',
        'external_id = $2',
      ],
      certifications_external_id_key: [
        inOrganization('findCertification', 'externalId: "a", externalSource: "bamboo-hr"'),
        'organization_id = $1',
        'external_id = $2',
        'external_source = $3',
      ],
      'certifications_external_id_key (without a source)': [
        inOrganization('findCertification', 'externalId: "a"'),
        'organization_id = $1',
        'external_id = $2',
        'external_source IS NULL',
      ],
    };
    for (const [name, [field, ...keys]] of Object.entries(found))
      test(`${name}: ${field}`, async () => {
        const [index] = name.split(' ');
        const plans = await plansOf(await statementsOf(ask(field)));
        expect(plans).toHaveLength(1);
        const scans = plans.flat().filter((node) => node['Relation Name']);
        expect(scans.map((node) => node['Index Name'])).toEqual([index]);
        const condition = scans[0]?.['Index Cond']?.replaceAll('::text', '') ?? '';
        for (const key of keys) expect(condition).toContain(key);
        // Of the records of one member, the index of the member may have fewer to read.
        const own = await plansOf(await statementsOf(ask(field), 'climber@skyline.example'));
        for (const node of own.flat().filter((each) => each['Relation Name']))
          expect(node['Index Cond']).toMatch(/organization_id = \$1.* AND .*(\$2|\$3)/);
      });

    test('in the statements of node and nodes, one for each type', async () => {
      for (const field of [`node(id: "${member}") { id }`, `nodes(ids: ["${member}"]) { id }`]) {
        const plans = await plansOf(await statementsOf(ask(field)));
        const scans = plans.flat().filter((node) => node['Relation Name']);
        expect(scans.map((node) => node['Index Name']).toSorted()).toEqual([
          'certification_types_pkey',
          'certifications_pkey',
          'job_roles_pkey',
          'organization_members_pkey',
          'organizations_pkey',
          'qualifications_pkey',
        ]);
        for (const node of scans) expect(node['Index Cond']).toMatch(/\bid = ANY/);
      }
    });

    const ask = (field: string) => (token: string) => app.graphql(`{ ${field} }`, {}, { token });
    const plansOf = async (statements: readonly Statement[]): Promise<Plan[][]> => {
      const plans: Plan[][] = [];
      for (const [sql] of statements) {
        const { rows } = await client.query(`explain (generic_plan, format json) ${sql}`);
        plans.push(flatten(rows[0]['QUERY PLAN'][0].Plan));
      }
      return plans;
    };
  });

  test('the checks see a scan and a sort where there is no index', async () => {
    const { rows } = await client.query(
      'explain (format json) select * from certifications order by serial_number',
    );
    const types = flatten(rows[0]['QUERY PLAN'][0].Plan).map((node) => node['Node Type']);
    expect(types).toContain('Sort');
    expect(types).toContain('Seq Scan');
    await client.end();
  });
});

/** What is sorted is a handful: a caller's organizations, or one member's results. */
const isShort = (path: string): boolean =>
  path.startsWith('/v1/organizations?') ||
  path === '/v1/organizations' ||
  path.endsWith(`${member}/qualifications`);

const personFor = (field: string) =>
  field.includes('auditEvents') ? 'admin@skyline.example' : undefined;

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

/** The statements that a request sends. */
const statementsOf = (
  ask: (token: string) => Promise<Response>,
  who = 'both@skyline.example',
): Promise<Statement[]> =>
  statementsDuring(async () => {
    const { status, text, body } = await ask(await app.token(who));
    expect([text, status]).toStrictEqual([text, 200]);
    expect([text, body.errors]).toStrictEqual([text, undefined]);
  });
