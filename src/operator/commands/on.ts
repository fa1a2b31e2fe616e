/** How a command works on the database of the configuration. */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Answer } from '../answer.js';
import type { Arguments, Call, Command } from '../usage.js';

/** Does something with the database of the configuration. */
export type WithDatabase = <T>(config: Config, work: (db: Database) => Promise<T>) => Promise<T>;

type Work = (db: Database, values: Arguments, config: Config) => Promise<Answer>;

export const commandsOn =
  (withDatabase: WithDatabase) =>
  (call: Call, work: Work): Command => ({
    ...call,
    run: ({ config, values }) => withDatabase(config, (db) => work(db, values, config)),
  });
