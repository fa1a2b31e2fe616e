import { createHash } from 'node:crypto';
import type { Database } from '../../../src/database/connection.js';

/** One value for all rows that belong to the organization. */
export async function readVersionOf(db: Database, organizationId: string): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id' order by 1`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.query(`select t::text from ${name} t where organization_id = $1 order by 1`, [
        organizationId,
      ]),
    ),
  );
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
