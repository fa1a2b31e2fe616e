/** Reads the readiness matrix of an organization. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { lossesOf } from '../../entities/evaluation/readiness.js';
import { isMet, standingOf } from '../../entities/evaluation/result.js';
import { type Connection, type PageArgs, toConnection } from '../connection.js';
import {
  type Definition,
  decisiveTypes,
  type Range,
  readDefinitions,
  requireAffordable,
  requireComparable,
} from '../evaluation/definitions.js';
import { readEvidence } from '../evaluation/evidence.js';
import { type Held, readHeld, readRosterHeld } from '../evaluation/held.js';
import { identityOfMoment, type Moment, type MomentArgs, momentOf } from '../evaluation/moment.js';
import { pageOfRoster, readRoster } from '../evaluation/roster.js';
import { recordsOf, selectionOf } from '../selection.js';
import type { MemberReadiness, Readiness, ReadinessTotal } from './type.js';

/** The parameters of a matrix; `totals` and `members` are read on demand. */
export interface Matrix extends Readiness {
  readonly organizationId: string;
  readonly identity: readonly unknown[];
  readonly moment: Moment;
  readonly definitions: readonly Definition[];
  readonly certificationTypeIds: readonly string[];
  readonly roster: readonly string[];
  /** The types held by the whole roster, if totals are selected. */
  readonly held: Held | undefined;
}

/**
 * @throws {ApiError} `validation_error` when the organization cannot use the job role or a
 * qualification, `invalid_request` when there are too many.
 */
export async function readMatrix(
  ctx: Context,
  info: GraphQLResolveInfo,
  range: Range,
  args: MomentArgs,
): Promise<Matrix> {
  const { organizationId, qualificationIds, jobRoleId } = range;
  const identity = [
    'readiness',
    organizationId,
    qualificationIds ?? null,
    jobRoleId ?? null,
    ...identityOfMoment(args),
  ];
  const moment = momentOf(ctx, args);
  const definitions = await readDefinitions(ctx, range);
  const certificationTypeIds = decisiveTypes(definitions);
  const held = selectionOf(info).has('totals')
    ? await readRosterHeld(ctx, range, certificationTypeIds, moment)
    : undefined;
  const roster = held ? [...held.keys()] : await readRoster(ctx, range);
  if (held) requireComparable(ctx, held.size, definitions);
  return {
    organizationId,
    identity,
    moment,
    definitions,
    certificationTypeIds,
    roster,
    held,
    asOf: moment.day,
    memberCount: roster.length,
  };
}

export function totalsOf({ definitions, held }: Matrix): ReadinessTotal[] {
  const sets = [...(held as Held).values()];
  return definitions.map(({ id, required }) => ({
    qualificationId: id,
    qualifiedCount: sets.filter((types) => isMet(required, types)).length,
  }));
}

export async function readRows(
  ctx: Context,
  info: GraphQLResolveInfo,
  matrix: Matrix,
  args: PageArgs,
): Promise<Connection<MemberReadiness>> {
  const { organizationId, identity, definitions, certificationTypeIds, moment, roster } = matrix;
  const memberIds = pageOfRoster(roster, identity, args);
  requireAffordable(
    ctx,
    memberIds.length * definitions.length,
    'use a smaller "first", or fewer "qualificationIds"',
  );
  const wanted = { organizationId, memberIds, certificationTypeIds };
  const held = matrix.held ?? (await readHeld(ctx, wanted, moment));
  const isLossAsked = recordsOf(selectionOf(info)).get('cells')?.has('lostOn');
  const evidence = isLossAsked ? await readEvidence(ctx, wanted, moment) : undefined;
  const rows = memberIds.map((organizationMemberId) => {
    const types = held.get(organizationMemberId) ?? new Set();
    const lossOf = evidence && lossesOf(moment.day, evidence.get(organizationMemberId) ?? []);
    const cells = definitions.map(({ id, required }) => {
      const { status, metRequirementCount, totalRequirementCount } = standingOf(required, types);
      const lostOn = lossOf?.(required) ?? null;
      return { qualificationId: id, status, metRequirementCount, totalRequirementCount, lostOn };
    });
    return { organizationId, organizationMemberId, cells };
  });
  return toConnection(
    () => identity,
    args,
    rows,
    ({ organizationMemberId }) => ({ updatedAt: '', id: organizationMemberId }),
  );
}
