/**
 * A pool by hand: every statement with values prepared by name, timestamps and dates as text in the
 * form of the API.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { settings } from './settings.js';

const types = new pg.TypeOverrides();
const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins;
types.setTypeParser(INT8, Number);
types.setTypeParser(DATE, (text) => text);
types.setTypeParser(
  TIMESTAMPTZ,
  (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z`,
);

const pool = new pg.Pool({
  connectionString: settings.database,
  max: settings.poolSize,
  idleTimeoutMillis: 300_000,
  options: '-c timezone=UTC -c datestyle=ISO',
  types,
});

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

const named = (text: string, values: readonly unknown[]): pg.QueryConfig => ({
  name: nameOf(text),
  text,
  values: values as unknown[],
});

export type Query = <Row extends object>(
  sql: string,
  values?: readonly unknown[],
) => Promise<Row[]>;

export const query: Query = async <Row extends object>(
  sql: string,
  values: readonly unknown[] = [],
) => (await pool.query<Row>(named(sql, values))).rows;

export async function transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(
      async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
        (await client.query<Row>(named(sql, values))).rows,
    );
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export const close = (): Promise<void> => pool.end();
