import { randomUUIDv7 } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import { type Access, isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Basis, recordChanges } from '../../database/record-changes.js';
import { Certification, type CertificationSource } from '../../entities/certification.js';
import { ApiError, invalid } from '../../errors.js';
import { difference } from '../../rules/difference.js';
import { datesInOrder, emptyCertificate, verificationAfter } from '../../rules/validity.js';
import { requireVersion } from '../input/precondition.js';
import { actorOf, lockRecord, readingOf, sent } from '../reads/records.js';
import { certifications } from './reads.js';
import type { CertificationCreate, CertificationUpdate } from './type.js';

const onlySelfReported = () =>
  new ApiError(
    'forbidden',
    'Without the role admin or manager you can only write your own self-reported certifications.',
  );

/**
 * The membership for a create by the caller: the named one, if it is the caller's, otherwise the
 * primary one.
 * @throws {ApiError} `forbidden` when there is none, `approval_required` when the app is not
 * approved there.
 */
export function ownMembership(caller: Access, memberId: string | undefined): Membership {
  const { memberships } = caller.principal;
  const own = memberId
    ? memberships.find((membership) => membership.memberId === memberId)
    : memberships[0];
  if (!own) throw new ApiError('forbidden');
  return caller.organization(own.organizationId);
}

/**
 * Creates a certification record in the organization of the membership.
 * @returns The fields of the new record that `info` selects.
 */
export async function createCertification(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  input: CertificationCreate,
  usual: CertificationSource,
): Promise<Certification> {
  const { organizationId } = membership;
  const manages = isManager(membership);
  const source = input.source ?? (manages ? usual : 'self-reported');
  if (!manages && input.organizationMemberId && input.organizationMemberId !== membership.memberId)
    throw new ApiError('forbidden');
  if (!manages && source !== 'self-reported') throw onlySelfReported();
  const organizationMemberId = input.organizationMemberId ?? ownMember(membership, source);
  const dates = { issuedOn: input.issuedOn ?? null, expiresOn: input.expiresOn ?? null };
  requireDatesInOrder(dates);

  const set = {
    externalId: null,
    externalSource: null,
    ...emptyCertificate,
    ...sent(input),
    ...dates,
    organizationMemberId,
    source,
    lifecycleStatus: 'active',
    verificationStatus: 'unverified',
  };
  const basis = {
    ...usable,
    values: [organizationId, organizationMemberId, input.certificationTypeId],
  };
  const added = {
    organizationId,
    entity: Certification,
    key: { organizationId, id: randomUUIDv7() },
    set,
    basis,
  };
  const [record] = await recordChanges<Certification>(
    ctx.db,
    actorOf(ctx),
    [added],
    readingOf(info, certifications),
  );
  if (record) return record;
  await requireUsable(ctx, organizationId, organizationMemberId, input.certificationTypeId);
  // The member and type became usable concurrently: try again.
  return createCertification(ctx, info, membership, input, usual);
}

/**
 * The default holder of a record. Only self-reported records have one: an integration whose lookup
 * finds no member must not write to the membership of its own user.
 * @throws {ApiError} `validation_error` unless the record is self-reported.
 */
function ownMember({ memberId }: Membership, source: CertificationSource): string {
  if (source === 'self-reported') return memberId;
  throw invalid({
    organizationMemberId: [
      'is required unless source is self-reported; then it defaults to your own membership',
    ],
  });
}

/** The member `$2` and the type `$3` are usable for a record of the organization `$1`. */
const usable: Omit<Basis, 'values'> = {
  sql: `select m.user_id from organization_members m, certification_types t
    where m.organization_id = $1 and m.id = $2 and t.id = $3 and t.status = 'active' and (t.organization_id = $1 or t.scope = 'standard')`,
  set: { userId: 'basis.user_id' },
};

/**
 * @throws {ApiError} `validation_error` when the member or the type can't be used in the
 * organization.
 */
async function requireUsable(
  ctx: Context,
  organizationId: string,
  memberId: string,
  typeId: string,
): Promise<void> {
  const [row] = await ctx.db.query<{ isMember: boolean; typeStatus: string | null }>(
    `select exists (select from organization_members where organization_id = $1 and id = $2) as "isMember",
       (select status from certification_types where id = $3 and (organization_id = $1 or scope = 'standard')) as "typeStatus"`,
    [organizationId, memberId, typeId],
  );
  const problems = {
    ...(!row?.isMember && { organizationMemberId: ['is not a member of this organization'] }),
    ...(row?.typeStatus !== 'active' && {
      certificationTypeId: ['is not an active certification type that this organization can use'],
    }),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/**
 * Locks a record that the caller can change: any for a manager, otherwise the caller's own
 * self-reported records.
 * @throws {ApiError} `forbidden` or `not_found`; as {@link requireVersion}.
 */
export async function lockWritable(
  ctx: Context,
  membership: Membership,
  id: string,
  ifUpdatedAt: string | null | undefined,
): Promise<Certification> {
  const { organizationId } = membership;
  const record = await lockRecord<Certification>(
    ctx.db,
    certifications,
    'c.organization_id = $1 and c.id = $2',
    [organizationId, id],
  );
  if (!isManager(membership)) {
    if (record?.organizationMemberId !== membership.memberId) throw new ApiError('forbidden');
    if (record.source !== 'self-reported') throw onlySelfReported();
  }
  if (!record) throw new ApiError('not_found');
  requireVersion(ctx, record, ifUpdatedAt);
  return record;
}

/** Changes the given properties. Writes nothing if no value differs. */
export async function updateCertification(
  ctx: Context,
  membership: Membership,
  id: string,
  input: CertificationUpdate,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const { organizationId } = membership;
  const record = await lockWritable(ctx, membership, id, ifUpdatedAt);
  const edit = difference(sent(input), { ...record });
  if (Object.keys(edit).length === 0) return;
  requireDatesInOrder({ ...record, ...edit });
  const set = { ...edit, ...verificationAfter(edit) };
  const key = { organizationId, id };
  await recordChanges(ctx.db, actorOf(ctx), [
    { organizationId, entity: Certification, key, set, from: { ...record } },
  ]);
}

function requireDatesInOrder(dates: Parameters<typeof datesInOrder>[0]): void {
  if (!datesInOrder(dates)) throw invalid({ expiresOn: ['must not be before the day of issue'] });
}
