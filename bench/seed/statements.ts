/**
 * The statements that fill the database, each for a whole table. Every value follows from its row's
 * number, so that each run has the same rows.
 */
import { apiScopes } from '../../src/auth/scopes.js';
import { certifications, historyOf } from './records.js';
import {
  organizationCount,
  organizationOf,
  own,
  pick,
  publisher,
  type Size,
  type Statement,
  standard,
} from './shape.js';

/** Members of these numbers are the managers; each organization has some. */
export const managerCount = 200;
export const clientId = 'bench-app';
export const redirectUri = 'http://127.0.0.1:4100/callback';

const firstNames = [
  'Ada',
  'Ben',
  'Chen',
  'Dana',
  'Emil',
  'Fatima',
  'Goran',
  'Hana',
  'Ivo',
  'Jana',
  'Kofi',
  'Lena',
  'Marek',
  'Nora',
  'Omar',
  'Sam',
];
const lastNames = [
  'Adler',
  'Brandt',
  'Costa',
  'Dvorak',
  'Evans',
  'Fischer',
  'Garcia',
  'Horvat',
  'Ito',
  'Jensen',
  'Kowal',
  'Lopez',
  'Meyer',
  'Novak',
];

/** Definitions: the standard ones first, then those of each organization. */
const definitions = (
  table: string,
  kind: string,
  name: string,
  { shared, each }: { shared: number; each: number },
): Statement => ({
  fills: table,
  sql: `insert into ${table} (id, organization_id, slug, ${name}, description, scope, created_at, updated_at)
    select bench.uid('${kind}', n), bench.uid('organization', case when n <= ${shared} then ${publisher} else 1 + (n - ${shared} - 1) / ${each} end),
      '${kind}-' || n, initcap('${kind}') || ' ' || n, 'What ${kind} ' || n || ' is about, in a sentence or two, as people write it.',
      case when n <= ${shared} then 'standard' else 'organization' end, at, at
    from generate_series(1, ${shared + each * organizationCount}) n, lateral (select timestamptz '2024-01-01Z' + n * interval '1 minute' as at) _`,
});

export function statementsOf(size: Size): Statement[] {
  const readScopes = apiScopes.filter((scope) => scope.endsWith(':read'));
  const scopes = (list: readonly string[]) =>
    `'{${list.map((scope) => `"${scope}"`).join(',')}}'::text[]`;
  const isShared = 'n > 1 and n % 50 = 1';
  return [
    {
      fills: 'organizations',
      sql: `insert into organizations (id, name, slug, is_publisher, created_at, updated_at)
        select bench.uid('organization', n), 'Organization ' || n, 'organization-' || n, n = ${publisher}, '2024-01-01Z', '2024-01-01Z'
        from generate_series(1, ${organizationCount}) n`,
    },
    {
      fills: 'users',
      sql: `insert into users (id, email, display_name) select bench.uid('user', n), 'person-' || n || '@bench.example', ${pick(firstNames, 21)} || ' ' || ${pick(lastNames, 22)}
        from generate_series(1, ${size.members}) n`,
    },
    {
      // Every fiftieth is a second membership of the person before.
      fills: 'organization_members',
      sql: `insert into organization_members (organization_id, id, user_id, email, display_name, first_name, last_name, role, status, is_primary,
          external_id, created_at, updated_at)
        select bench.uid('organization', ${organizationOf('n')}), bench.uid('member', n), u.id, u.email, u.display_name, split_part(u.display_name, ' ', 1),
          split_part(u.display_name, ' ', 2), case when n <= ${managerCount / 2} then 'admin' when n <= ${managerCount} then 'manager' else 'member' end,
          case when n > ${managerCount} and bench.rnd(n, 23, 50) = 0 then 'suspended' else 'active' end, not (${isShared}), 'E-' || n, at, at
        from generate_series(1, ${size.members}) n join users u on u.id = bench.uid('user', case when ${isShared} then n - 1 else n end),
          lateral (select timestamptz '2024-01-01Z' + n * (interval '900 days' / ${size.members}) as at) _`,
    },
    definitions('certification_types', 'type', 'title', {
      shared: standard.types,
      each: own.types,
    }),
    definitions('qualifications', 'qualification', 'name', {
      shared: standard.qualifications,
      each: own.qualifications,
    }),
    definitions('job_roles', 'role', 'name', { shared: standard.roles, each: own.roles }),
    {
      fills: 'qualification_requirements',
      sql: `insert into qualification_requirements (organization_id, qualification_id, certification_type_id, is_required, position, created_at, updated_at)
        select q.organization_id, q.id, bench.uid('type', case when r % 2 = 1 and n > ${standard.qualifications}
            then ${standard.types} + ((n - ${standard.qualifications} - 1) / ${own.qualifications}) * ${own.types} + 1 + (n + r) % ${own.types}
            else 1 + (n * 7 + r * 11) % ${standard.types} end), r < 3, r, q.created_at, q.created_at
        from generate_series(1, ${standard.qualifications + own.qualifications * organizationCount}) n
        join qualifications q on q.id = bench.uid('qualification', n), generate_series(0, 3 + bench.rnd(n, 31, 2)) r`,
    },
    {
      fills: 'job_role_qualifications',
      sql: `insert into job_role_qualifications (organization_id, job_role_id, qualification_id, position, created_at, updated_at)
        select bench.uid('organization', ${publisher}), bench.uid('role', n), bench.uid('qualification', 1 + (n + p * 5) % ${standard.qualifications}), p, '2024-01-01Z', '2024-01-01Z'
        from generate_series(1, ${standard.roles}) n, generate_series(0, 2) p`,
    },
    {
      fills: 'member_job_roles',
      sql: `insert into member_job_roles (organization_id, organization_member_id, job_role_id, is_primary, assigned_at, created_at, updated_at)
        select m.organization_id, m.id, bench.uid('role', 1 + n % ${standard.roles}), true, m.created_at, m.created_at, m.created_at
        from generate_series(1, ${size.members}) n
        join organization_members m on m.organization_id = bench.uid('organization', ${organizationOf('n')}) and m.id = bench.uid('member', n)`,
    },
    {
      fills: 'apps',
      sql: `insert into apps (id, client_id, name, token_endpoint_auth_method, redirect_uris, api_scopes)
        values (bench.uid('app', 1), '${clientId}', 'Bench App', 'none', '{${redirectUri}}', ${scopes(apiScopes)}),
          (bench.uid('app', 2), 'bench-reader', 'Bench Reader', 'none', '{${redirectUri}}', ${scopes(readScopes)})`,
    },
    {
      fills: 'app_approvals',
      sql: `insert into app_approvals (organization_id, app_id, scopes, approved_at)
        select o.id, a.id, a.api_scopes, '2024-01-02Z' from organizations o, apps a`,
    },
    {
      fills: 'grants',
      sql: `insert into grants (id, app_id, user_id, expires_at)
        select 'seed-' || n, bench.uid('app', 2), bench.uid('user', n), '2030-01-01Z' from generate_series(1, ${size.members}) n where ${`not (${isShared})`}`,
    },
    certifications(size),
    { fills: 'certification_history', sql: historyOf('updated_at', 'lifecycle_status', 'true') },
    {
      fills: 'earlier versions',
      sql: historyOf(
        'created_at',
        `'active'`,
        `created_at < updated_at and hashint8extended(hashtext(id::text), 41) & 3 = 0`,
      ),
    },
    {
      fills: 'audit_events',
      sql: `insert into audit_events (id, organization_id, user_id, app_id, action, subject_type, subject_id, changes, request_id, occurred_at)
        select md5('event' || id)::uuid, organization_id, user_id, bench.uid('app', 1), 'create', 'Certification', id::text,
          jsonb_build_object('certificationTypeId', jsonb_build_array(null, certification_type_id), 'source', jsonb_build_array(null, source)), 'seed', updated_at
        from certifications`,
    },
    {
      fills: 'organization_clocks',
      sql: `insert into organization_clocks (organization_id, ticked_at) select id, greatest('2024-02-01Z',
          (select max(updated_at) from certifications c where c.organization_id = o.id), (select max(updated_at) from organization_members m where m.organization_id = o.id))
        from organizations o`,
    },
  ];
}
