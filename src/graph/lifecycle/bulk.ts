/** Bulk revocation of the records of an issuer in a range of days. */
import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { Certification } from '../../entities/certification.js';
import { invalid } from '../../errors.js';
import { actorOf } from '../reads/records.js';
import type { BulkRevocationResult, CertificationBulkRevocation } from './type.js';

/**
 * Maximum number of records per call, because one transaction holds the version clock of the
 * organization for all of them.
 */
const maxAtOnce = 1000;

type Found = Pick<Certification, 'id' | 'lifecycleStatus'> & { readonly issuedOn: string };

/**
 * Revokes the active records of an issuer with a day of issue in a range, all or none.
 * @throws {ApiError} `validation_error` for an empty range, too many records, or an invalid
 * effective day.
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
    await recordChanges(
      ctx.db,
      actorOf(ctx),
      active.map((record) => revocation(organizationId, record, input)),
    );
  }
  const idsOf = (records: Found[]) => records.map(({ id }) => id);
  const archived = found.filter(({ lifecycleStatus }) => lifecycleStatus === 'archived');
  return {
    dryRun,
    revokedCount: active.length,
    revokedIds: idsOf(active),
    archivedIds: idsOf(archived),
  };
}

function requireDays(
  { today }: Context,
  { issuedFrom, issuedUntil, effectiveOn }: CertificationBulkRevocation,
): void {
  if (issuedUntil < issuedFrom) throw invalid({ issuedUntil: ['must not be before issuedFrom'] });
  if (effectiveOn && effectiveOn > today)
    throw invalid({ effectiveOn: ['must not be after today (UTC)'] });
}

/** Locks in the order of ids, so that two such calls wait for each other instead of a deadlock. */
async function lockIssued(
  ctx: Context,
  organizationId: string,
  input: CertificationBulkRevocation,
): Promise<Found[]> {
  const found = await ctx.db.query<Found>(
    `select id, lifecycle_status as "lifecycleStatus", issued_on as "issuedOn" from certifications
     where organization_id = $1 and lower(issuer_name) = lower($2) and issued_on between $3 and $4 and lifecycle_status <> 'revoked'
     order by id limit $5 for no key update`,
    [organizationId, input.issuerName, input.issuedFrom, input.issuedUntil, maxAtOnce + 1],
  );
  if (found.length > maxAtOnce) {
    throw invalid({
      issuedUntil: [
        `More than ${maxAtOnce} records match, the limit of one request: use a shorter range of days.`,
      ],
    });
  }
  return found;
}

/** A record issued after the effective day is revoked from its day of issue. */
function revocation(
  organizationId: string,
  { id, lifecycleStatus, issuedOn }: Found,
  { reason, effectiveOn }: CertificationBulkRevocation,
): Change {
  return {
    organizationId,
    entity: Certification,
    key: { organizationId, id },
    set: { lifecycleStatus: 'revoked' },
    from: { lifecycleStatus },
    reason,
    effectiveOn: effectiveOn && effectiveOn < issuedOn ? issuedOn : effectiveOn,
  };
}
