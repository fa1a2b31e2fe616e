/** The backup of the embedded database. */
import { resolve, sep } from 'node:path';
import { backUp, isFree } from '../../database/embedded/backup.js';
import { attachEmbedded } from '../../database/embedded.js';
import { stopIfAsked } from '../interrupt.js';
import { type Command, UsageError } from '../usage.js';

export const backupCommand: Command = {
  does: 'back up the embedded database while it runs, and verify the backup by restoring it',
  usage: 'DIR',
  explains: { DIR: 'a new folder; an existing one is not overwritten' },
  example: '/var/backups/lanyard-2026-03-01',
  notes:
    'To restore, stop Lanyard and use the folder, or a copy of it, as DATA_DIR. The backup has everything except KEY_ENCRYPTION_SECRET. For your own PostgreSQL use its tools.',
  json: 'directory, tables[] { name, rows }',
  isLong: true,
  async run({ config, values: { DIR = '' }, notify, signal }) {
    const directory = resolve(config.DATA_DIR);
    const target = resolve(DIR);
    if (config.DATABASE_URL)
      throw new UsageError(
        'DATABASE_URL is set, and this command backs up the embedded database. Use the tools of your PostgreSQL: pg_basebackup, pgBackRest, WAL-G.',
      );
    if (`${target}${sep}`.startsWith(`${directory}${sep}`))
      throw new UsageError('The backup must not be in DATA_DIR.');
    if (!isFree(target))
      throw new UsageError(`${target} exists and is not overwritten. Name a new folder.`);
    if (!(await attachEmbedded(directory)))
      throw new UsageError(
        `No PostgreSQL runs in ${directory}: start Lanyard first (npm start). While it is stopped, a copy of the folder is a backup.`,
      );
    const steps = ['copying', 'restoring', 'comparing'] as const;
    const tables = await backUp(directory, target, {
      onStep(step) {
        const done = steps.indexOf(step);
        notify({ doing: step, done, unit: 'steps', fraction: done / steps.length });
        stopIfAsked(signal, () => `Stopped while ${step}. No backup was made.`);
      },
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      text: `Backed up to ${target}, restored and compared: ${rows} rows of ${tables.length} tables are equal.\n`,
      json: {
        directory: target,
        tables: tables.map(({ name, rows: count }) => ({ name, rows: count })),
      },
    };
  },
};
