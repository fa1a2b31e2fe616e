/** Runs a command on the configured database. */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Answer } from '../output/answer.js';
import type { Arguments, Call, Command } from '../usage.js';

/** Runs `work` on the configured database. */
export type WithDatabase = <T>(config: Config, work: (db: Database) => Promise<T>) => Promise<T>;

type Work = (db: Database, values: Arguments, config: Config) => Promise<Answer>;

export const commandsOn =
  (withDatabase: WithDatabase) =>
  (call: Call, work: Work): Command => ({
    ...call,
    run: ({ config, values }) => withDatabase(config, (db) => work(db, values, config)),
  });
