/** Lifecycle and verification transitions of certification records. */
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import {
  Certification,
  type LifecycleStatus,
  type VerificationStatus,
} from '../../entities/certification.js';
import { invalid } from '../../errors.js';
import {
  lifecycleTransitions,
  requireRestorable,
  requireTransition,
  verificationTransitions,
} from '../../rules/transitions.js';
import { lockWritable } from '../certifications/service.js';
import { actorOf } from '../reads/records.js';
import type { CertificationCheck, CertificationMove } from './type.js';

/**
 * Revokes, archives or restores a record.
 * @throws {ApiError} `invalid_transition` when the transition is not allowed, `validation_error`
 * for an invalid effective day.
 */
export async function moveLifecycle(
  ctx: Context,
  membership: Membership,
  id: string,
  to: LifecycleStatus,
  move: CertificationMove,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const record = await lockWritable(ctx, membership, id, ifUpdatedAt);
  requireTransition(lifecycleTransitions, record.lifecycleStatus, to);
  if (to === 'active') requireRestorable(await wasRevoked(ctx, record));
  await change(ctx, record, { lifecycleStatus: to }, move);
}

/** Submits a record for verification. @throws {ApiError} as {@link moveLifecycle}. */
export async function submitForVerification(
  ctx: Context,
  membership: Membership,
  id: string,
  move: CertificationMove,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const record = await lockWritable(ctx, membership, id, ifUpdatedAt);
  requireTransition(verificationTransitions, record.verificationStatus, 'pending');
  await change(ctx, record, { verificationStatus: 'pending' }, move);
}

/**
 * Stores the outcome of a verification.
 * @throws {ApiError} as {@link moveLifecycle}.
 */
export async function decideVerification(
  ctx: Context,
  membership: Membership,
  id: string,
  to: VerificationStatus & ('verified' | 'failed'),
  { method, ...move }: CertificationCheck,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const record = await lockWritable(ctx, membership, id, ifUpdatedAt);
  requireTransition(verificationTransitions, record.verificationStatus, to);
  // A verification on an earlier day has no time of day.
  const lastVerifiedAt =
    move.effectiveOn && move.effectiveOn < ctx.today
      ? `${move.effectiveOn}T00:00:00Z`
      : new Date().toISOString();
  await change(
    ctx,
    record,
    { verificationStatus: to, verificationMethod: method, lastVerifiedAt },
    move,
  );
}

async function change(
  ctx: Context,
  record: Certification,
  set: Partial<Certification>,
  { reason, effectiveOn }: CertificationMove,
): Promise<void> {
  requireDay(ctx, record, effectiveOn);
  const { organizationId, id } = record;
  const changed: Change = {
    organizationId,
    entity: Certification,
    key: { organizationId, id },
    set,
    from: { ...record },
    reason,
    effectiveOn,
  };
  await recordChanges(ctx.db, actorOf(ctx), [changed]);
}

/** The day may be before the record was entered, because its content applies to those days too. */
function requireDay(
  { today }: Context,
  { issuedOn }: Certification,
  effectiveOn: string | null | undefined,
): void {
  if (!effectiveOn) return;
  if (effectiveOn > today) throw invalid({ effectiveOn: ['must not be after today (UTC)'] });
  if (issuedOn && effectiveOn < issuedOn && effectiveOn < today)
    throw invalid({ effectiveOn: [`must not be before ${issuedOn}, the day of issue`] });
}

async function wasRevoked(ctx: Context, { organizationId, id }: Certification): Promise<boolean> {
  const found = await ctx.db.query(
    `select from certification_history where organization_id = $1 and certification_id = $2 and lifecycle_status = 'revoked' limit 1`,
    [organizationId, id],
  );
  return found.length > 0;
}
