/** The person's choice of their primary organization. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../database/connection.js';
import { isRetryable, overtaken } from '../../database/failures.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { lockingFree } from '../../database/version-clock.js';
import { type MemberStatus, OrganizationMember } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
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
  const rows = await tx.query<MemberKey & { isPrimary: boolean; status: MemberStatus }>(
    `select organization_id as "organizationId", id as "memberId", is_primary as "isPrimary", status from organization_members
     where user_id = $1 and (is_primary or organization_id = $2)`,
    [actor.userId, organizationId],
  );
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
  const members = await tx.query(
    `select from organization_members m join unnest($1::uuid[], $2::uuid[]) as wanted (organization_id, id)
       on m.organization_id = wanted.organization_id and m.id = wanted.id
     order by m.organization_id for no key update of m skip locked`,
    [organizations, rows.map(({ memberId }) => memberId)],
  );
  const clocks = members.length < rows.length ? [] : await tx.query(lockingFree, [organizations]);
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
