/** The SQL of the migrations, and the released ones. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '@mikro-orm/migrations';
import { migrations } from '../../src/database/migrate.js';
import { packageRoot } from '../../src/root.js';

export const releasedFolder = join(packageRoot, 'schema/released');

interface Listed {
  readonly name: string;
  readonly class: new (...args: never[]) => Migration;
}

export interface MigrationText {
  readonly name: string;
  readonly sql: readonly string[];
  readonly isTransactional: boolean;
}

export const readMigrations = (): MigrationText[] =>
  (migrations.migrationsList as unknown as readonly Listed[]).map(({ name, class: Class }) => {
    const migration = new Class();
    migration.up();
    return {
      name,
      sql: migration.getQueries().map(String),
      isTransactional: migration.isTransactional(),
    };
  });

/** SHA-256 of the SQL of each migration, independent of line breaks. */
export const digestMigrations = (): Record<string, string> =>
  Object.fromEntries(
    readMigrations().map(({ name, sql }) => [
      name,
      sha256(sql.join(';').replace(/\s+/g, ' ').trim()),
    ]),
  );

/** The digests of the last release, from {@link digestMigrations}. */
export const readReleased = (): Record<string, string> =>
  JSON.parse(readFileSync(join(releasedFolder, 'migrations.json'), 'utf8'));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
