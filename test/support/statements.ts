import { Database } from '../../src/database/connection.js';

type Way = 'query' | 'find' | 'search';

export type Statement = readonly [sql: string, values: readonly unknown[], way: Way];

/** The statements that this process sends to the database while `work` runs, but for those that look up who is asking. */
export async function statementsDuring(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { query, find, search } = Database.prototype;
  const noting = (way: Way, send: typeof query): typeof query =>
    function noted<Row>(this: Database, sql: string, values: readonly unknown[] = []) {
      if (!/(from|join) (grants|signing_keys)/.test(sql)) statements.push([sql, values, way]);
      return send.call(this, sql, values) as Promise<Row[]>;
    };
  Database.prototype.query = noting('query', query);
  Database.prototype.find = noting('find', find);
  Database.prototype.search = noting('search', search);
  try {
    await work();
  } finally {
    Database.prototype.query = query;
    Database.prototype.find = find;
    Database.prototype.search = search;
  }
  return statements;
}
