/** Digests of tables, to compare two databases. */
import type pg from 'pg';

export interface TableDigest {
  readonly name: string;
  /** Number of rows. */
  readonly rows: number;
  /** The same for the same rows, in any order. */
  readonly digest: string;
}

const tablesStatement = `
  select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname not in ('pg_catalog', 'information_schema')
  order by 1`;

/** Reads every row of every table. */
export async function digestsOf(client: pg.Client): Promise<TableDigest[]> {
  const { rows: tables } = await client.query<{ name: string }>(tablesStatement);
  const digests: TableDigest[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string; digest: string }>(
      `select count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as digest from ${name} t`,
    );
    digests.push({ name, rows: Number(rows[0]?.count), digest: rows[0]?.digest ?? '' });
  }
  return digests;
}
