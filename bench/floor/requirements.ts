/** Replacing the requirements of a qualification, in one transaction. */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, managed, Refused } from './caller.js';
import { transaction } from './database.js';
import { tick } from './writes.js';

interface RequirementInput {
  readonly certification_type_id: string;
  readonly is_required: boolean;
}

/**
 * What stays is updated where it differs, what is new inserted, the rest deleted; every change and
 * the qualification has a stamp and an event.
 */
export async function putRequirements(
  caller: Caller,
  organizationId: string,
  id: string,
  given: readonly RequirementInput[],
  requestId: string,
): Promise<object> {
  managed(caller, organizationId, 'qualifications:write');
  const types = given.map(({ certification_type_id }) => certification_type_id);
  const required = given.map(({ is_required }) => is_required);
  return transaction(async (tx) => {
    const owned = await tx(
      'select 1 from qualifications where id = $1 and organization_id = $2 for no key update',
      [id, organizationId],
    );
    const usable = await tx(
      `select 1 from certification_types where id = any($1) and status = 'active' and (scope = 'standard' or organization_id = $2)`,
      [types, organizationId],
    );
    if (owned.length === 0 || usable.length < given.length) throw new Refused(422);
    const changes = await tx<{ type: string; kind: string }>(
      `select coalesce(r.certification_type_id, g.type) as type, case when g.type is null then 'delete' when r.position is null then 'create' else 'update' end as kind
       from (select * from qualification_requirements where qualification_id = $1) r
       full join unnest($2::uuid[], $3::bool[]) with ordinality as g(type, required, number) on g.type = r.certification_type_id
       where g.type is null or r.position is null or (r.is_required, r.position) <> (g.required, g.number - 1)`,
      [id, types, required],
    );
    if (changes.length > 0) {
      const stamp = await tick(tx, organizationId, changes.length + 1);
      await tx(
        'delete from qualification_requirements where qualification_id = $1 and not (certification_type_id = any($2))',
        [id, types],
      );
      await tx(
        `insert into qualification_requirements as r (organization_id, qualification_id, certification_type_id, is_required, position, created_at, updated_at)
         select $1, $2, type, required, number - 1, at, at from unnest($3::uuid[], $4::bool[]) with ordinality as g(type, required, number)
         cross join lateral (select $5::timestamptz - (cardinality($3::uuid[]) + 1 - number) * interval '1 microsecond' as at) stamp
         on conflict (qualification_id, certification_type_id) do update set is_required = excluded.is_required, position = excluded.position, updated_at = excluded.updated_at
         where (r.is_required, r.position) <> (excluded.is_required, excluded.position)`,
        [organizationId, id, types, required, stamp],
      );
      await tx('update qualifications set updated_at = $2 where id = $1', [id, stamp]);
      await tx(
        `insert into audit_events (id, organization_id, user_id, app_id, action, subject_type, subject_id, changes, request_id, occurred_at)
         select e.id, $2, $3, $4, e.kind, case when e.number = cardinality($1::uuid[]) then 'Qualification' else 'QualificationRequirement' end, e.subject, '{}', $5, $6
         from unnest($1::uuid[], $7::text[], $8::text[]) with ordinality as e(id, kind, subject, number)`,
        [
          [...changes, id].map(() => randomUUIDv7()),
          ...[organizationId, caller.userId, caller.appId, requestId, stamp],
          [...changes.map(({ kind }) => kind), 'update'],
          [...changes.map(({ type }) => `${id}/${type}`), id],
        ],
      );
    }
    const data = await tx(
      'select qualification_id, certification_type_id, is_required, created_at, updated_at from qualification_requirements where qualification_id = $1 order by position',
      [id],
    );
    return { data };
  });
}
