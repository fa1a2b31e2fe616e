/**
 * The rows of an organization as PostgreSQL has them, and as the mirror of
 * clients/typescript/examples has them.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../../src/database/connection.js';
import { skylineId } from '../support/names.js';

export const organization = '/v1/organizations/{organization_id}';

/**
 * All that is stored; what is worked out from it (validity) and what is of another record (the
 * type's title) is left out.
 */
const columns = {
  certifications: `id, organization_member_id, user_id, external_id, external_source, certification_type_id, lifecycle_status, source, issued_on, expires_on,
    issuer_name, serial_number, verification_status, verification_method, last_verified_at, created_at, updated_at`,
  'organization-members': `id, user_id, email, display_name, first_name, last_name, role, status, is_primary, external_id, created_at, updated_at`,
};
export type List = keyof typeof columns;
export const lists = Object.keys(columns) as List[];

const byId = (rows: { id: string }[]) =>
  Object.fromEntries(rows.map((row) => [row.id, row]).sort());

/** What the table has. */
export async function storedIn(db: Database, list: List): Promise<object> {
  const rows = await db.query<{ id: string }>(
    `select ${columns[list]} from ${list.replace('-', '_')} t where organization_id = $1`,
    [skylineId],
  );
  return byId(rows);
}

/** What the mirror has, in the same columns. */
export function mirroredIn(file: string, list: List): object {
  // A mirror that was killed leaves work to whoever opens its file first.
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const names = columns[list].split(/,\s+/);
    const rows = db.prepare('select record from records where list like ?').all(`%${list}`);
    const records = rows.map(({ record }) => JSON.parse(String(record)));
    return byId(
      records.map(
        (record) => Object.fromEntries(names.map((name) => [name, record[name]])) as { id: string },
      ),
    );
  } finally {
    db.close();
  }
}
