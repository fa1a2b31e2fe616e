/** Sends more statements than a session prepares, and posts the numbers of prepared statements. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';

export interface Prepared {
  readonly named: number;
  readonly many: number;
  /** Statements whose answer was wrong. */
  readonly wrong: number;
}

const one = await connect(String(workerData), { poolSize: 1, entities: [] });
const handle = new Database(one.em);
const prepared = async (like: string): Promise<number> =>
  (
    await handle.query(
      `select statement from pg_prepared_statements where statement like '${like}'`,
    )
  ).length;
let wrong = 0;
const ask = async (name: string, value: number): Promise<void> => {
  const [row] = await handle.query<Record<string, number>>(`select $1::int as ${name}`, [value]);
  if (row?.[name] !== value) wrong++;
};
for (const value of [1, 2, 3]) await ask('named', value);
const named = await prepared('%as named');
for (let index = 0; index < 600; index++) await ask(`many${index}`, index);
parentPort?.postMessage({ named, many: await prepared('%'), wrong } satisfies Prepared);
await one.close();
