/** Reads and replaces the requirements of a qualification. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { Qualification, QualificationRequirement } from '../../entities/definition.js';
import { ApiError } from '../../errors.js';
import { available } from '../definitions/reads.js';
import {
  type DefinitionSet,
  type Entry,
  lockSet,
  readEntries,
  requireAvailable,
} from '../definitions/sets.js';
import { batch, group } from '../reads/batch.js';
import { columnsFor, projectionOf } from '../reads/projection.js';
import { actorOf, readingOf } from '../reads/records.js';
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

/** An entry of the set of a request, or of the stored one. */
type Requirement = Entry & Pick<QualificationRequirement, 'isRequired' | 'position'>;

const set: DefinitionSet = {
  kind: 'certificationTypes',
  ownerKind: 'qualifications',
  table: 'qualification_requirements',
  owner: 'qualification_id',
  entry: 'certification_type_id',
  columns: 's.position, s.is_required as "isRequired"',
  max: maxRequirements,
  list: 'requirements',
  place: '.certificationTypeId',
  called: 'certification type',
  short: 'type',
};

const idsOf = (given: readonly RequirementInput[]): string[] =>
  given.map(({ certificationTypeId }) => certificationTypeId);

/**
 * Replaces the set. Entries that remain keep their `createdAt`. The version of the qualification
 * changes, so that syncing clients see it; an equal set changes nothing.
 * @returns The fields of the new set that `info` selects.
 * @throws {ApiError} As {@link lockSet}.
 */
export async function replaceRequirements(
  ctx: Context,
  info: GraphQLResolveInfo,
  { organizationId }: Membership,
  id: string,
  given: RequirementInput[],
  ifUpdatedAt?: string | null,
): Promise<QualificationRequirement[]> {
  const ids = idsOf(given);
  const stored = await lockSet<Requirement>(ctx, set, organizationId, id, ids, ifUpdatedAt);
  const changes = changesBetween(organizationId, id, stored, given);
  const where = 'r.qualification_id = $1 order by r.position';
  const reading = { ...readingOf(info, requirements, where), values: [id] };
  if (changes.length === 0) return ctx.db.query(reading.sql, reading.values, reading);
  const touched: Change = { organizationId, entity: Qualification, key: { id }, set: {}, from: {} };
  return recordChanges(ctx.db, actorOf(ctx), [...changes, touched], reading);
}

function changesBetween(
  organizationId: string,
  qualificationId: string,
  stored: ReadonlyMap<string, Requirement>,
  given: RequirementInput[],
): Change[] {
  const kept = new Set(idsOf(given));
  const change = (certificationTypeId: string) => ({
    organizationId,
    entity: QualificationRequirement,
    key: { qualificationId, certificationTypeId },
  });
  const removed = [...stored.values()]
    .filter(({ id }) => !kept.has(id))
    .map(
      ({ id, isRequired, position }): Change => ({ ...change(id), from: { isRequired, position } }),
    );
  const set = given.flatMap(({ certificationTypeId, isRequired }, position): Change[] => {
    const old = stored.get(certificationTypeId);
    if (!old)
      return [{ ...change(certificationTypeId), set: { organizationId, isRequired, position } }];
    const same = old.isRequired === isRequired && old.position === position;
    const from = { isRequired: old.isRequired, position: old.position };
    return same ? [] : [{ ...change(certificationTypeId), set: { isRequired, position }, from }];
  });
  return [...removed, ...set];
}

/** @throws {ApiError} As {@link requireAvailable}. */
export async function requireUsable(
  ctx: Context,
  organizationId: string,
  id: string,
  given: readonly RequirementInput[],
): Promise<void> {
  const ids = idsOf(given);
  requireAvailable(set, ids, await readEntries(ctx, set, organizationId, id, ids));
}
