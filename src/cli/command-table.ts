/** Every command of `lanyard`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../root.js';
import { auditCommands } from './commands/audit.js';
import { backupCommand } from './commands/backup.js';
import { catalogueCommands } from './commands/catalogue.js';
import { demoCommand, migrateCommand, tokenCommand } from './commands/data.js';
import { withConfiguredDatabase } from './commands/database.js';
import { directoryCommands } from './commands/directory.js';
import { serveCommand } from './commands/serve.js';
import { serviceCommands } from './commands/service.js';
import { showSettings } from './commands/settings.js';
import { doctorCommand } from './doctor/command.js';
import { importCommand } from './import/command.js';
import type { Command } from './usage.js';

const configCommand: Command = {
  does: 'show the effective configuration of commands and servers, with secrets hidden',
  json: 'settings[] { name, value, is_default }',
  run: async ({ config, environment }) => showSettings(config, environment),
};

const versionCommand: Command = {
  does: 'print the version of Lanyard',
  json: 'version, node',
  async run() {
    const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { text: `${version}\n`, json: { version, node: process.versions.node } };
  },
};

const generateCommand: Command = {
  does: 'write all files that are generated from the code: schemas, tables and links of the docs',
  json: 'written[]',
  async run() {
    const written = (await import('./generate/generate.js')).writeGenerated();
    return { text: written.map((path) => `${path}\n`).join(''), json: { written } };
  },
};

export const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  migrate: migrateCommand,
  doctor: doctorCommand,
  backup: backupCommand,
  config: configCommand,
  demo: demoCommand,
  token: tokenCommand,
  import: importCommand(withConfiguredDatabase),
  ...directoryCommands(withConfiguredDatabase),
  ...catalogueCommands(withConfiguredDatabase),
  ...serviceCommands(withConfiguredDatabase),
  ...auditCommands(withConfiguredDatabase),
  generate: generateCommand,
  version: versionCommand,
};
