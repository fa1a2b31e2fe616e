/** The requirements of a qualification: reading and replacing the set. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, write } from '../../database/journal.js';
import { Qualification, QualificationRequirement as Requirement } from '../../entities/definition.js';
import { ApiError } from '../../errors.js';
import { batch, group } from '../batch.js';
import { usable } from '../definition/reads.js';
import { lockOwnDefinition } from '../definition/service.js';
import { requireUsableSet } from '../definition/usable.js';
import { actorOf } from '../records.js';
import { selectionOf } from '../selection.js';
import { columnsFor, type Source } from '../source.js';
import type { QualificationRequirement, RequirementInput } from './type.js';

const maxRequirements = 200;

export const requirements: Source = {
  from: 'qualification_requirements r',
  columns: {
    qualificationId: 'r.qualification_id',
    certificationTypeId: 'r.certification_type_id',
    isRequired: 'r.is_required',
    createdAt: 'r.created_at',
    updatedAt: 'r.updated_at',
  },
  derived: { certificationType: ['certificationTypeId'] },
  always: ['qualificationId'],
};

/** The requirements of a qualification in their order; batched. */
export function listRequirements(ctx: Context, info: GraphQLResolveInfo, qualificationId: string): Promise<QualificationRequirement[]> {
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
 * The requirements of a qualification that the organization can use, in their order.
 * @throws {ApiError} `not_found` when the organization can't use such a qualification.
 */
export async function listUsableRequirements(ctx: Context, info: GraphQLResolveInfo, organizationId: string, id: string) {
  const { list, from } = columnsFor(requirements, selectionOf(info));
  const rows = await ctx.db.query<QualificationRequirement>(
    `select ${list} from qualifications d left join ${from} on r.qualification_id = d.id where d.id = $1 and ${usable('d', '$2')} order by r.position`,
    [id, [organizationId]],
  );
  if (rows.length === 0) throw new ApiError('not_found');
  return rows.filter(({ qualificationId }) => qualificationId !== null);
}

type Stored = Pick<Requirement, 'certificationTypeId' | 'isRequired' | 'position'>;

/**
 * Replaces the set in one go. What stays keeps its `createdAt`. The qualification counts as changed, so that those who sync it notice; a set equal to
 * the stored one changes nothing.
 * @throws {ApiError} `validation_error` naming each requirement that is doubled or can't be used.
 */
export async function replaceRequirements(
  ctx: Context,
  { organizationId }: Membership,
  id: string,
  given: RequirementInput[],
): Promise<void> {
  await lockOwnDefinition(ctx, 'qualifications', organizationId, id);
  await requireUsable(ctx, organizationId, given);
  const stored = await ctx.db.query<Stored>(
    `select certification_type_id as "certificationTypeId", is_required as "isRequired", position from qualification_requirements where qualification_id = $1`,
    [id],
  );
  const changes = changesBetween(organizationId, id, stored, given);
  if (changes.length === 0) return;
  const touched: Change = { organizationId, entity: Qualification, key: { id }, set: {}, from: {} };
  await write(ctx.db, actorOf(ctx), [...changes, touched]);
}

function changesBetween(organizationId: string, qualificationId: string, stored: Stored[], given: RequirementInput[]): Change[] {
  const before = new Map(stored.map((requirement) => [requirement.certificationTypeId, requirement]));
  const kept = new Set(given.map(({ certificationTypeId }) => certificationTypeId));
  const change = (certificationTypeId: string) => ({ organizationId, entity: Requirement, key: { qualificationId, certificationTypeId } });
  const removed = stored
    .filter(({ certificationTypeId }) => !kept.has(certificationTypeId))
    .map(({ certificationTypeId, isRequired, position }): Change => ({ ...change(certificationTypeId), from: { isRequired, position } }));
  const set = given.flatMap(({ certificationTypeId, isRequired }, position): Change[] => {
    const old = before.get(certificationTypeId);
    if (!old) return [{ ...change(certificationTypeId), set: { organizationId, isRequired, position } }];
    const same = old.isRequired === isRequired && old.position === position;
    return same ? [] : [{ ...change(certificationTypeId), set: { isRequired, position }, from: { ...old } }];
  });
  return [...removed, ...set];
}

/** @throws {ApiError} `validation_error` naming each requirement that is doubled or can't be used. */
export const requireUsable = (ctx: Context, organizationId: string, given: readonly RequirementInput[]): Promise<void> =>
  requireUsableSet(ctx, organizationId, {
    kind: 'certificationTypes',
    ids: given.map(({ certificationTypeId }) => certificationTypeId),
    most: maxRequirements,
    list: 'requirements',
    place: '.certificationTypeId',
    called: 'certification type',
    short: 'type',
  });
