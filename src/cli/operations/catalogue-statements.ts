/**
 * SQL about standard definitions that MikroORM's builder cannot express: locks that precede the
 * version clock, an order by a condition, and tables as parameters.
 */
import type { Database } from '../../database/connection.js';

/** Excludes concurrent loads of the catalogue. */
export async function lockCatalogue(tx: Database): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('lanyard catalogue'))`);
}

/** Locks the organization against changes of whether it is a publisher. */
export async function lockPublisher(
  tx: Database,
  slug: string,
): Promise<{ readonly id: string; readonly isPublisher: boolean } | undefined> {
  const [found] = await tx.query<{ id: string; isPublisher: boolean }>(
    'select id, is_publisher as "isPublisher" from organizations where slug = $1 for no key update',
    [slug],
  );
  return found;
}

/** SQL: whether a row of another organization references the definition `d`. */
export const elsewhere = (table: string, column: string) =>
  `exists (select from ${table} x where x.${column} = d.id and x.organization_id <> d.organization_id)`;

/**
 * Locks the standard definitions of an organization. Concurrent first uses wait for the lock.
 * @param isUsed SQL: whether another organization uses the definition `d`.
 */
export const lockStandard = (
  tx: Database,
  table: string,
  isUsed: string,
  organizationId: string,
): Promise<{ readonly id: string; readonly slug: string; readonly isUsed: boolean }[]> =>
  tx.query(
    `select d.id, d.slug, (${isUsed}) as "isUsed" from ${table} d where d.organization_id = $1 and d.scope = 'standard' order by d.slug for update of d`,
    [organizationId],
  );

export interface Found {
  readonly id: string;
  readonly slug: string;
  readonly scope: 'standard' | 'organization';
  readonly status: string;
}

/** The references of a definition, which must be standard as well. */
const needs: Readonly<Record<string, string>> = {
  qualification: `select t.id, t.scope from qualification_requirements r join certification_types t on t.id = r.certification_type_id
    where r.qualification_id = $1`,
  'job-role': `select q.id, q.scope from job_role_qualifications n join qualifications q on q.id = n.qualification_id where n.job_role_id = $1`,
};

export async function findReferences(
  tx: Database,
  kind: string,
  id: string,
): Promise<Pick<Found, 'id' | 'scope'>[]> {
  const text = needs[kind];
  return text ? tx.query(text, [id]) : [];
}

/** The definition with the id, or else with the slug. */
export async function findDefinition(
  tx: Database,
  table: string,
  organizationId: string,
  id: string,
  slug: string,
): Promise<Found | undefined> {
  const [found] = await tx.query<Found>(
    `select id, slug, scope, status from ${table}
     where organization_id = $1 and (id = $2 or slug = $3) order by id = $2 desc limit 1`,
    [organizationId, id, slug],
  );
  return found;
}
