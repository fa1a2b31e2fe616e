/** The readiness matrix of an organization. */
import type { Context } from '../../context.js';
import { readinessOf } from '../../entities/evaluation/readiness.js';
import { isMet, requiredTypes, typesHeld } from '../../entities/evaluation/result.js';
import { type Connection, type PageArgs, toConnection } from '../connection.js';
import { type Definition, decisiveTypes, pageOfRoster, type Range, readDefinitions, readRoster } from '../evaluation/definitions.js';
import { readEvidence } from '../evaluation/evidence.js';
import { identityOfMoment, type Moment, type MomentArgs, momentOf } from '../evaluation/moment.js';
import type { MemberReadiness, Readiness, ReadinessTotal } from './type.js';

/** A matrix that is known by its sides only; `totals` and `members` fill it in. */
export interface Matrix extends Readiness {
  readonly organizationId: string;
  readonly identity: readonly unknown[];
  readonly moment: Moment;
  readonly definitions: readonly Definition[];
  readonly roster: readonly string[];
}

/** @throws {ApiError} `validation_error` when the job role or a qualification can't be used. */
export async function readMatrix(ctx: Context, range: Range, args: MomentArgs): Promise<Matrix> {
  const definitions = await readDefinitions(ctx, range);
  const roster = await readRoster(ctx, range);
  const { organizationId, qualificationIds, jobRoleId } = range;
  const identity = ['readiness', organizationId, qualificationIds ?? null, jobRoleId ?? null, ...identityOfMoment(args)];
  const moment = momentOf(ctx, args);
  return { organizationId, identity, moment, definitions, roster, asOf: moment.day, memberCount: roster.length };
}

const evidenceOf = (ctx: Context, { organizationId, moment, definitions }: Matrix, memberIds: readonly string[]) =>
  readEvidence(ctx, { organizationId, memberIds, certificationTypeIds: decisiveTypes(definitions) }, moment);

export async function readTotals(ctx: Context, matrix: Matrix): Promise<ReadinessTotal[]> {
  const { definitions, moment, roster } = matrix;
  const evidence = await evidenceOf(ctx, matrix, roster);
  const held = [...evidence.values()].map((records) => typesHeld(moment.day, records));
  return definitions.map(({ id, requirements }) => {
    const required = requiredTypes(requirements);
    return { qualificationId: id, qualifiedCount: held.filter((types) => isMet(required, types)).length };
  });
}

export async function readRows(ctx: Context, matrix: Matrix, args: PageArgs): Promise<Connection<MemberReadiness>> {
  const { organizationId, identity, definitions, moment, roster } = matrix;
  const memberIds = pageOfRoster(roster, identity, args);
  const evidence = await evidenceOf(ctx, matrix, memberIds);
  const sets = definitions.map(({ requirements }) => requirements);
  const rows = memberIds.map((organizationMemberId) => {
    const cells = readinessOf(moment.day, sets, evidence.get(organizationMemberId) ?? []);
    return {
      organizationId,
      organizationMemberId,
      cells: cells.map((cell, index) => Object.assign(cell, { qualificationId: definitions[index]?.id ?? '' })),
    };
  });
  return toConnection(
    () => identity,
    args,
    rows,
    ({ organizationMemberId }) => ({ updatedAt: '', id: organizationMemberId }),
  );
}
