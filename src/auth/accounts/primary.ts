/** The person's choice of their primary organization. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../database/connection.js';
import { isRetryable, overtaken } from '../../database/failures.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { OrganizationMember } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { lockFree, lockFreeClocks } from './membership-statements.js';
import type { MemberKey, Person } from './memberships.js';

/**
 * Moves the mark of the person's primary membership. It writes to two organizations and waits for
 * neither: if it held one version clock while it waited for the other, a manager of the second
 * organization could block the first. Must be alone in its transaction.
 * @throws {ApiError} `forbidden` when the person is not an active member.
 * @throws {Error} that makes the transaction retry.
 */
export async function movePrimary(
  tx: Database,
  actor: Person,
  organizationId: string,
): Promise<void> {
  const members = await tx.em.find(OrganizationMember, {
    userId: actor.userId,
    $or: [{ isPrimary: true }, { organizationId }],
  });
  const rows = members.map(({ id, ...member }) => ({ ...member, memberId: id }));
  const wanted = rows.find((row) => row.organizationId === organizationId);
  if (wanted?.status !== 'active') throw new ApiError('forbidden');
  if (wanted.isPrimary) return;
  await takeAll(tx, rows);
  const change = (key: MemberKey, isPrimary: boolean): Change => ({
    organizationId: key.organizationId,
    entity: OrganizationMember,
    key: { organizationId: key.organizationId, id: key.memberId },
    set: { isPrimary },
    from: { isPrimary: !isPrimary },
  });
  const former = rows.filter(({ isPrimary }) => isPrimary).map((key) => change(key, false));
  await recordChanges(tx, actor, [...former, change(wanted, true)]);
}

/** Locks the rows and the version clocks of their organizations, if all are free. */
async function takeAll(tx: Database, rows: readonly MemberKey[]): Promise<void> {
  const organizations = rows.map(({ organizationId }) => organizationId);
  const locked = await lockFree(tx, rows);
  const clocks = locked < rows.length ? [] : await lockFreeClocks(tx, organizations);
  if (clocks.length < rows.length)
    throw overtaken(new Error('Another transaction writes to one of the organizations'));
}

const maxAttempts = 20;
const pauseMs = 50;

/**
 * Like {@link movePrimary} in a new transaction, retried for a second while one of the
 * organizations is busy.
 */
export async function choosePrimary(
  db: Database,
  actor: Person,
  organizationId: string,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction((tx) => movePrimary(tx, actor, organizationId));
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error;
      await delay(pauseMs);
    }
  }
}
