/** Runs a command on the configured database. */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { CommandOutput } from '../output/command-output.js';
import type { Arguments, Call, Command } from '../usage.js';

/** Runs `work` on the configured database. */
export type WithDatabase = <T>(config: Config, work: (db: Database) => Promise<T>) => Promise<T>;

type Work = (db: Database, values: Arguments, config: Config) => Promise<CommandOutput>;

export const commandsOn =
  (withDatabase: WithDatabase) =>
  (call: Call, work: Work): Command => ({
    ...call,
    run: ({ config, values }) => withDatabase(config, (db) => work(db, values, config)),
  });
