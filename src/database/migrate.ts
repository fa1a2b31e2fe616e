/** The schema, step by step. */
import { Migrator } from '@mikro-orm/migrations';
import type { MikroORM, Options } from '@mikro-orm/postgresql';
import { SystemOfRecord } from './migrations/0001_system_of_record.js';
import { OAuth } from './migrations/0002_oauth.js';
import { People } from './migrations/0003_people.js';
import { Apps } from './migrations/0004_apps.js';
import { History } from './migrations/0005_history.js';
import { JobRoleQualifications } from './migrations/0006_job_role_qualifications.js';
import { DashboardIndexes } from './migrations/0007_dashboard_indexes.js';
import { ChangeListeners } from './migrations/0008_change_listeners.js';

/** Named in the code, so that a bundle or a renamed file changes nothing. */
export const migrations: NonNullable<Options['migrations']> = {
  migrationsList: [
    { name: '0001_system_of_record', class: SystemOfRecord },
    { name: '0002_oauth', class: OAuth },
    { name: '0003_people', class: People },
    { name: '0004_apps', class: Apps },
    { name: '0005_history', class: History },
    { name: '0006_job_role_qualifications', class: JobRoleQualifications },
    { name: '0007_dashboard_indexes', class: DashboardIndexes },
    { name: '0008_change_listeners', class: ChangeListeners },
  ],
  tableName: 'migrations',
  transactional: true,
  allOrNothing: true,
  snapshot: false,
};

/** @returns The names of the migrations that were still to do. */
export async function migrate(orm: MikroORM): Promise<string[]> {
  const done = await new Migrator(orm.em).up();
  return done.map(({ name }) => name);
}

/** The names of the migrations that the database lacks. */
export async function pendingMigrations(orm: MikroORM): Promise<string[]> {
  const pending = await new Migrator(orm.em).getPending();
  return pending.map(({ name }) => name);
}
