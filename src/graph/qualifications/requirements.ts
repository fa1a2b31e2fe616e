/** Reads and replaces the requirements of a qualification. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { Qualification, QualificationRequirement } from '../../entities/definition.js';
import { ApiError } from '../../errors.js';
import { requireAvailableSet } from '../definitions/available.js';
import { available } from '../definitions/reads.js';
import { lockOwnDefinition } from '../definitions/service.js';
import { batch, group } from '../reads/batch.js';
import { columnsFor, projectionOf } from '../reads/projection.js';
import { actorOf } from '../reads/records.js';
import { selectionOf } from '../reads/selection.js';
import { maxRequirements, type RequirementInput } from './type.js';

export const requirements = projectionOf(QualificationRequirement, 'r', {
  derived: { certificationType: ['certificationTypeId'] },
  always: ['qualificationId'],
});

/** The requirements of a qualification in order; batched. */
export function listRequirements(
  ctx: Context,
  info: GraphQLResolveInfo,
  qualificationId: string,
): Promise<QualificationRequirement[]> {
  return batch<string, QualificationRequirement[]>(ctx, info, 'requirements', async (ids) => {
    const { list, from } = columnsFor(requirements, selectionOf(info));
    const rows = await ctx.db.query<QualificationRequirement>(
      `select ${list} from ${from} where r.qualification_id = any($1) order by r.qualification_id, r.position`,
      [ids],
    );
    return group(ids, rows, (row) => row.qualificationId);
  }).load(qualificationId);
}

/**
 * The requirements of a qualification that the organization can use, in order.
 * @throws {ApiError} `not_found` when the organization cannot use it.
 */
export async function listUsableRequirements(
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  id: string,
) {
  const { list, from } = columnsFor(requirements, selectionOf(info));
  const rows = await ctx.db.query<QualificationRequirement & { version: string }>(
    `select ${list}, d.updated_at as version from qualifications d left join ${from} on r.qualification_id = d.id where d.id = $1 and ${available('d', '$2')} order by r.position`,
    [id, [organizationId]],
  );
  const [first] = rows;
  if (!first) throw new ApiError('not_found');
  // Any change of the set also changes the version of the qualification, including the removal of a
  // requirement.
  if (ctx.versionOfSet) ctx.versionOfSet.current = first.version;
  return rows.filter(({ qualificationId }) => qualificationId !== null);
}

type Stored = Pick<QualificationRequirement, 'certificationTypeId' | 'isRequired' | 'position'>;

/**
 * Replaces the set. Entries that remain keep their `createdAt`. The version of the qualification
 * changes, so that syncing clients see it; an equal set changes nothing.
 * @throws {ApiError} `validation_error` for each duplicate and each requirement that cannot be
 * used.
 */
export async function replaceRequirements(
  ctx: Context,
  { organizationId }: Membership,
  id: string,
  given: RequirementInput[],
  ifUpdatedAt?: string | null,
): Promise<void> {
  await lockOwnDefinition(ctx, 'qualifications', organizationId, id, ifUpdatedAt);
  await requireUsable(ctx, organizationId, id, given);
  const stored = await ctx.db.query<Stored>(
    `select certification_type_id as "certificationTypeId", is_required as "isRequired", position from qualification_requirements where qualification_id = $1`,
    [id],
  );
  const changes = changesBetween(organizationId, id, stored, given);
  if (changes.length === 0) return;
  const touched: Change = { organizationId, entity: Qualification, key: { id }, set: {}, from: {} };
  await recordChanges(ctx.db, actorOf(ctx), [...changes, touched]);
}

function changesBetween(
  organizationId: string,
  qualificationId: string,
  stored: Stored[],
  given: RequirementInput[],
): Change[] {
  const before = new Map(
    stored.map((requirement) => [requirement.certificationTypeId, requirement]),
  );
  const kept = new Set(given.map(({ certificationTypeId }) => certificationTypeId));
  const change = (certificationTypeId: string) => ({
    organizationId,
    entity: QualificationRequirement,
    key: { qualificationId, certificationTypeId },
  });
  const removed = stored
    .filter(({ certificationTypeId }) => !kept.has(certificationTypeId))
    .map(
      ({ certificationTypeId, isRequired, position }): Change => ({
        ...change(certificationTypeId),
        from: { isRequired, position },
      }),
    );
  const set = given.flatMap(({ certificationTypeId, isRequired }, position): Change[] => {
    const old = before.get(certificationTypeId);
    if (!old)
      return [{ ...change(certificationTypeId), set: { organizationId, isRequired, position } }];
    const same = old.isRequired === isRequired && old.position === position;
    return same
      ? []
      : [{ ...change(certificationTypeId), set: { isRequired, position }, from: { ...old } }];
  });
  return [...removed, ...set];
}

/**
 * @throws {ApiError} `validation_error` for each duplicate and each requirement that cannot be
 * used. An entry that remains may have an archived type.
 */
export const requireUsable = (
  ctx: Context,
  organizationId: string,
  id: string,
  given: readonly RequirementInput[],
): Promise<void> =>
  requireAvailableSet(ctx, organizationId, {
    kind: 'certificationTypes',
    ids: given.map(({ certificationTypeId }) => certificationTypeId),
    owner: id,
    stored:
      'select certification_type_id from qualification_requirements where qualification_id = $3',
    max: maxRequirements,
    list: 'requirements',
    place: '.certificationTypeId',
    called: 'certification type',
    short: 'type',
  });
