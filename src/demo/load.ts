/** Loads the demo set into a database. */
import { hashPassword } from '../auth/password.js';
import type { Database } from '../database/connection.js';
import { App, AppApproval, AppSecret } from '../entities/app.js';
import { AuditEvent } from '../entities/change-log.js';
import { User } from '../entities/user.js';
import { today } from '../scalars/day.js';
import { appEvents, appRows, approvalRows, secretRows } from './apps.js';
import { insertChronicle } from './chronicle.js';
import { demoId } from './ids.js';
import { insertFree } from './insert.js';
import { publisher } from './organizations.js';
import { demoPassword } from './people.js';
import { userRows } from './rows.js';
import { demoStory } from './story.js';
import { foreignOrganizations } from './traces.js';

/** `occupied`: nothing was done, because there are organizations of other origin. */
export type DemoOutcome = 'loaded' | 'present' | 'occupied';

/**
 * Loads the demo set in one transaction, dated relative to today. Concurrent processes load it
 * once. Changes nothing when it is loaded already.
 * @param besideOthers Whether to load it into a database with organizations of real people.
 */
export const loadDemo = (db: Database, { besideOthers = false } = {}): Promise<DemoOutcome> =>
  db.transaction(async (tx) => {
    await tx.query('lock table organizations in share row exclusive mode');
    const others = besideOthers
      ? []
      : await foreignOrganizations((sql, values) => tx.query(sql, values));
    if (others.length > 0) return 'occupied';
    const present = await tx.query('select from organizations where id = $1', [
      demoId('organization', publisher),
    ]);
    if (present.length > 0) return 'present';
    await insertAll(tx, today(), await hashPassword(demoPassword));
    return 'loaded';
  });

/**
 * The records of the tenants have their past instants: no client has read these organizations
 * before. The standard definitions are stamped now, because members of other organizations read
 * them and synchronize by `updatedAt`.
 */
async function insertAll(tx: Database, day: string, passwordHash: string): Promise<void> {
  await insertFree(tx, [
    [User, userRows(day, passwordHash)],
    [App, appRows(day)],
  ]);
  await insertChronicle(tx, demoStory(day), (id) => id !== demoId('organization', publisher));
  await insertFree(tx, [
    [AppApproval, approvalRows(day)],
    [AppSecret, secretRows(day)],
    [AuditEvent, appEvents(day)],
  ]);
}
