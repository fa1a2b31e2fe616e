/** The certification records and their history: by far the most rows. */
import { organizationOf, own, pick, type Size, type Statement, standard } from './shape.js';

/** A type that an organization can use: standard three times out of four. */
const usableType = (organization: string, salt: number): string =>
  `bench.uid('type', case when bench.rnd(n, ${salt}, 4) < 3 then 1 + bench.rnd(n, ${salt + 1}, ${standard.types})
     else ${standard.types} + (${organization} - 1) * ${own.types} + 1 + bench.rnd(n, ${salt + 2}, ${own.types}) end)`;

/**
 * Ten records for each member, scattered over the table; a third of them from an outside system.
 */
export const certifications = ({ members, certifications: count }: Size): Statement => ({
  fills: 'certifications',
  rows: count,
  sql: `insert into certifications (organization_id, id, organization_member_id, user_id, external_id, external_source, certification_type_id,
      lifecycle_status, source, issued_on, expires_on, issuer_name, serial_number, verification_status, verification_method, last_verified_at,
      created_at, updated_at)
    select m.organization_id, bench.uid('certification', n), m.id, m.user_id,
      case when source = 'import' then 'X-' || n end, case when source = 'import' then ${pick(['workday', 'bamboo-hr'], 1)} end,
      ${usableType('o', 2)}, ${pick([...Array(17).fill('active'), 'archived', 'archived', 'revoked'], 5)}, source, issued,
      case when bench.rnd(n, 7, 10) > 0 then issued + 365 * (1 + bench.rnd(n, 8, 3)) end, ${pick(['Tower Academy', 'RF Safe', 'Red Cross', 'NATE'], 9)},
      'SN-' || lpad(n::text, 8, '0'), verification, case when verification in ('verified', 'failed') then 'document' end,
      case when verification in ('verified', 'failed') then at end, at - bench.rnd(n, 10, 100) * interval '1 day', at
    from generate_series($1::bigint, $2::bigint) n
    cross join lateral (select (n * 7919) % ${members} + 1 as member) a cross join lateral (select ${organizationOf('member')} as o) b
    cross join lateral (select ${pick(['import', 'import', 'import', 'manual', 'manual', 'manual', 'api', 'api', 'self-reported'], 11)} as source,
        ${pick(['verified', 'verified', 'verified', 'verified', 'unverified', 'unverified', 'pending', 'failed'], 12)} as verification,
        date '2023-06-01' + bench.rnd(n, 13, 1100) as issued, timestamptz '2024-01-01Z' + n * (interval '1000 days' / ${count}) as at) c
    join organization_members m on m.organization_id = bench.uid('organization', o) and m.id = bench.uid('member', member)`,
});

const historyColumns = `organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source, issued_on,
  expires_on, issuer_name, lifecycle_status, verification_status, verification_method, user_id, app_id, request_id`;
export const historyOf = (at: string, lifecycle: string, condition: string): string =>
  `insert into certification_history (${historyColumns})
    select organization_id, id, ${at}, ${at}::date, organization_member_id, certification_type_id, source, issued_on, expires_on, issuer_name,
      ${lifecycle}, verification_status, verification_method, user_id, bench.uid('app', 1), 'seed' from certifications where ${condition}`;
