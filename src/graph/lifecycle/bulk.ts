/** Taking back what an issuer issued in a range of days. */
import type { Context } from '../../context.js';
import { type Change, write } from '../../database/journal.js';
import { Certification } from '../../entities/certification.js';
import { invalid } from '../../errors.js';
import { actorOf } from '../records.js';
import type { BulkRevocationResult, CertificationBulkRevocation } from './type.js';

/** One transaction holds the organization's clock for so many records without keeping others waiting for long. */
const mostAtOnce = 1000;

type Found = Pick<Certification, 'id' | 'lifecycleStatus' | 'createdAt'>;

/**
 * Revokes the active records of an issuer that were issued in a range of days, all or none.
 * @throws {ApiError} `validation_error` for a range that is empty by itself or fits too many records, and for a day that can't be.
 */
export async function revokeInBulk(
  ctx: Context,
  organizationId: string,
  input: CertificationBulkRevocation,
  dryRun: boolean,
): Promise<BulkRevocationResult> {
  requireDays(ctx, input);
  const found = await lockIssued(ctx, organizationId, input);
  const active = found.filter(({ lifecycleStatus }) => lifecycleStatus === 'active');
  if (!dryRun && active.length > 0) {
    await write(
      ctx.db,
      actorOf(ctx),
      active.map((record) => revocation(organizationId, record, input)),
    );
  }
  const idsOf = (records: Found[]) => records.map(({ id }) => id);
  const archived = found.filter(({ lifecycleStatus }) => lifecycleStatus === 'archived');
  return { dryRun, revokedCount: active.length, revokedIds: idsOf(active), archivedIds: idsOf(archived) };
}

function requireDays({ today }: Context, { issuedFrom, issuedUntil, effectiveOn }: CertificationBulkRevocation): void {
  if (issuedUntil < issuedFrom) throw invalid({ issuedUntil: ['must not be before issuedFrom'] });
  if (effectiveOn && effectiveOn > today) throw invalid({ effectiveOn: ['must not be after today (UTC)'] });
}

/** In the order of ids, so that two such calls wait for each other and don't deadlock. */
async function lockIssued(ctx: Context, organizationId: string, input: CertificationBulkRevocation): Promise<Found[]> {
  const found = await ctx.db.query<Found>(
    `select id, lifecycle_status as "lifecycleStatus", created_at as "createdAt" from certifications
     where organization_id = $1 and lower(issuer_name) = lower($2) and issued_on between $3 and $4 and lifecycle_status <> 'revoked'
     order by id limit $5 for no key update`,
    [organizationId, input.issuerName, input.issuedFrom, input.issuedUntil, mostAtOnce + 1],
  );
  if (found.length > mostAtOnce) {
    throw invalid({
      issuedUntil: [`More than ${mostAtOnce} records fit, and so many can be revoked at once: take a shorter range of days.`],
    });
  }
  return found;
}

/** A record that was made after the day is revoked since it was made. */
function revocation(
  organizationId: string,
  { id, lifecycleStatus, createdAt }: Found,
  { reason, effectiveOn }: CertificationBulkRevocation,
): Change {
  const made = createdAt.slice(0, 10);
  return {
    organizationId,
    entity: Certification,
    key: { organizationId, id },
    set: { lifecycleStatus: 'revoked' },
    from: { lifecycleStatus },
    reason,
    effectiveOn: effectiveOn && effectiveOn < made ? made : effectiveOn,
  };
}
