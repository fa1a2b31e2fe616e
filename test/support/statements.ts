import { Database, type QueryOptions } from '../../src/database/connection.js';

/**
 * How a statement was sent: by itself, batched with others of its turn, or to be planned for its
 * values.
 */
type Way = 'query' | 'batched' | 'replanned';

export type Statement = readonly [sql: string, values: readonly unknown[], way: Way];

const wayOf = ({ isBatched, mayReplan }: QueryOptions = {}): Way =>
  mayReplan ? 'replanned' : isBatched ? 'batched' : 'query';

/**
 * The statements that this process sends to the database while `work` runs, but for those that look
 * up who is asking.
 */
export async function statementsDuring(work: () => Promise<void>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { query } = Database.prototype;
  Database.prototype.query = function noted<Row>(
    this: Database,
    sql: string,
    values: readonly unknown[] = [],
    options?: QueryOptions,
  ) {
    if (!/(from|join) (grants|signing_keys)/.test(sql))
      statements.push([sql, values, wayOf(options)]);
    return query.call(this, sql, values, options) as Promise<Row[]>;
  };
  try {
    await work();
  } finally {
    Database.prototype.query = query;
  }
  return statements;
}
