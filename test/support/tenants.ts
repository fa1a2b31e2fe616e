/** Organizations and memberships that tests make for themselves. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/connection.js';
import { type Change, recordChanges } from '../../src/database/record-changes.js';
import { OrganizationMember } from '../../src/entities/member.js';
import { nobody, renameOrganization } from './changes.js';
import { userId } from './names.js';

/** Makes the user a plain member. @returns The id of the membership. */
export async function join(db: Database, organizationId: string, email: string): Promise<string> {
  const id = randomUUID();
  const set = {
    userId: userId(email),
    email,
    status: 'active',
    role: 'member',
    isPrimary: false,
    externalId: '',
  };
  const names = { displayName: email, firstName: '', lastName: '' };
  const change: Change = {
    organizationId,
    entity: OrganizationMember,
    key: { organizationId, id },
    set: { ...set, ...names },
  };
  await db.transaction((tx) => recordChanges(tx, nobody, [change]));
  return id;
}

/** Makes an organization, with the user as a plain member. @returns Its id. */
export async function found(db: Database, email: string): Promise<string> {
  const id = randomUUID();
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into organizations (id, name, slug, created_at, updated_at) values ($1, $2, $2, clock_timestamp(), clock_timestamp())`,
      [id, `test-${id}`],
    );
    await recordChanges(tx, nobody, [renameOrganization(id)]);
  });
  await join(db, id, email);
  return id;
}
