#!/usr/bin/env node
/** The command line: `lanyard serve`, `migrate`, `demo`, `token`, `generate`. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import { demo, migrateSchema, serve, token, UsageError } from './commands.js';
import { type Config, ConfigError, readConfig, readEnvFile } from './config.js';

interface Command {
  readonly does: string;
  run(config: Config, options: Readonly<Record<string, string | undefined>>): Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: { does: 'start the server (with an embedded PostgreSQL unless DATABASE_URL is set)', run: serve },
  migrate: { does: 'bring the schema of the database up to date', run: migrateSchema },
  demo: { does: 'load the demo data', run: demo },
  token: { does: 'print an access token: --user E-MAIL --app CLIENT_ID [--scope "openid profile email"]', run: token },
  generate: {
    does: 'write schema/schema.graphql and schema/openapi.json anew',
    run: async () => (await import('./generate.js')).writeGenerated(),
  },
};

const usage = `lanyard COMMAND\n\n${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`)
  .join('\n')}\n\nThe environment is described in .env.example.\n`;

async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, user: option, app: option, scope: option },
  });
  const command = commands[positionals[0] ?? ''];
  if (values.help) return void process.stdout.write(usage);
  if (!command || positionals.length > 1) throw new UsageError(usage);
  const file = existsSync('.env') && process.env.NODE_ENV !== 'production' ? readEnvFile(parseEnv(readFileSync('.env', 'utf8'))) : {};
  await command.run(readConfig({ ...file, ...process.env }), values as Record<string, string | undefined>);
}

main().catch((error: unknown) => {
  const isPlain =
    error instanceof ConfigError || error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${isPlain ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
  process.exitCode = isPlain ? 2 : 1;
});
