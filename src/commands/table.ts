/** Every command of `lanyard`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditCommands } from '../operator/commands/audit.js';
import { catalogueCommands } from '../operator/commands/catalogue.js';
import { directoryCommands } from '../operator/commands/directory.js';
import { serviceCommands } from '../operator/commands/service.js';
import { doctorCommand } from '../operator/doctor/command.js';
import { importCommand } from '../operator/import/command.js';
import { showSettings } from '../operator/settings.js';
import type { Command } from '../operator/usage.js';
import { packageRoot } from '../root.js';
import { demoCommand, migrateCommand, tokenCommand } from './data.js';
import { withConfiguredDatabase } from './database.js';
import { serveCommand } from './serve.js';

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
    const written = (await import('../generate.js')).writeGenerated();
    return { text: written.map((path) => `${path}\n`).join(''), json: { written } };
  },
};

export const commands: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  migrate: migrateCommand,
  doctor: doctorCommand,
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
