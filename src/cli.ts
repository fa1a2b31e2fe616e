/** The command line: `lanyard serve`, `migrate`, `org create`, … */
import { existsSync, readFileSync } from 'node:fs';
import { demo, migrateSchema, serve, token, withConfiguredDatabase } from './commands.js';
import { ConfigError, readConfig, readEnvFile } from './config.js';
import { MigrationBlocked } from './database/migrate.js';
import { ApiError } from './errors.js';
import { operatorCommands } from './operator/commands.js';
import { doctorCommand } from './operator/doctor/command.js';
import { importCommand } from './operator/import/command.js';
import { type Command, helpOf, type Inspection, parseArguments, UsageError } from './operator/usage.js';

const commands: Readonly<Record<string, Command | Inspection>> = {
  serve: { does: 'start the server (with an embedded PostgreSQL unless DATABASE_URL is set)', run: serve },
  migrate: { does: 'bring the schema of the database up to date', run: migrateSchema },
  doctor: doctorCommand,
  demo: { does: 'load the demo data', run: demo },
  token: { does: 'print an access token, for demo and development', usage: '--user E-MAIL --app CLIENT_ID [--scope SCOPES]', run: token },
  generate: {
    does: 'write schema/schema.graphql and schema/openapi.json anew',
    run: async () => (await import('./generate.js')).writeGenerated(),
  },
  import: importCommand(withConfiguredDatabase),
  ...operatorCommands(withConfiguredDatabase),
};

async function main([first = '', second = '', ...rest]: readonly string[]): Promise<void> {
  const [name, args] = `${first} ${second}` in commands ? [`${first} ${second}`, rest] : [first, [second, ...rest].filter(Boolean)];
  const command = commands[name];
  if ([first, second, ...rest].some((word) => word === '--help' || word === '-h')) {
    return void process.stdout.write(helpOf(commands, command ? name : first.replace(/^-.*/, '')));
  }
  if (!command) throw new UsageError(helpOf(commands));
  const values = parseArguments(name, command, args);
  await ('inspect' in command ? command.inspect(environment(), values) : command.run(readConfig(environment()), values));
}

function environment(): Record<string, string | undefined> {
  const file = existsSync('.env') && process.env.NODE_ENV !== 'production' ? readEnvFile(readFileSync('.env', 'utf8')) : {};
  return { ...file, ...process.env };
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isPlain =
    error instanceof ConfigError || error instanceof UsageError || error instanceof ApiError || error instanceof MigrationBlocked;
  process.stderr.write(`${isPlain ? plainly(error) : ((error as Error).stack ?? error)}\n`);
  // Timers and connections that a failed start left open would keep the process alive, and whoever restarts it waiting.
  process.exit(error instanceof ConfigError || error instanceof UsageError ? 2 : 1);
});

/** What is wrong with each value, where the error says so. */
const plainly = (error: Error): string =>
  error instanceof ApiError && error.code === 'validation_error'
    ? Object.values(error.details ?? {})
        .flat()
        .join('\n')
    : error.message;
