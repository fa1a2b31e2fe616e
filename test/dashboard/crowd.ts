/** An organization with thousands of members: those of the demo set, many times over. */
import type { Database } from '../../src/database/connection.js';
import { skylineId } from '../support/names.js';

/** $1 organization, $2 size. Copies of the members who have a job role. */
const copied = `
  create temporary table copied as
  select m.id as original, copy, md5(m.id || '/' || copy)::uuid as id,
    m.first_name || ' ' || names.all_of[1 + (copy * 7 + row_number() over (partition by copy order by m.id)::int) % cardinality(names.all_of)] as name
  from organization_members m, generate_series(1, 1000) copy,
    (select array_agg(last_name order by id) as all_of from organization_members where organization_id = $1) names
  where m.organization_id = $1 and m.status = 'active' and exists (
    select from member_job_roles r where r.organization_id = m.organization_id and r.organization_member_id = m.id)
  order by copy, m.id limit $2`;

const statements = [
  `insert into users (id, email, display_name) select id, id || '@crowd.example', name from copied`,
  `insert into organization_members (organization_id, id, user_id, email, display_name, role, status, created_at, updated_at)
   select m.organization_id, c.id, c.id, c.id || '@crowd.example', c.name, 'member', 'active', m.created_at, m.updated_at
   from copied c join organization_members m on m.id = c.original`,
  `insert into member_job_roles (organization_id, organization_member_id, job_role_id, is_primary, created_at, updated_at)
   select r.organization_id, c.id, r.job_role_id, r.is_primary, r.created_at, r.updated_at
   from copied c join member_job_roles r on r.organization_member_id = c.original`,
  `insert into certifications (organization_id, id, organization_member_id, user_id, certification_type_id, lifecycle_status, source,
     issued_on, expires_on, issuer_name, serial_number, verification_status, verification_method, last_verified_at, created_at, updated_at)
   select r.organization_id, md5(r.id || '/' || c.copy)::uuid, c.id, c.id, r.certification_type_id, r.lifecycle_status, r.source,
     r.issued_on, r.expires_on + c.copy % 40, r.issuer_name, r.serial_number, r.verification_status, r.verification_method, r.last_verified_at, r.created_at, r.updated_at
   from copied c join certifications r on r.organization_member_id = c.original`,
  'drop table copied',
  'analyze',
];

/** Adds members to Skyline Towers, with the job roles and certifications of its own. */
export async function addCrowd(db: Database, size: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(copied, [skylineId, size]);
    for (const statement of statements) await tx.query(statement);
  });
}
