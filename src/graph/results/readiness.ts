import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  Info,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { expirationsOf } from '../../rules/evaluation/expirations.js';
import { isMet, type ResultStatus, standingOf } from '../../rules/evaluation/result.js';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { AssumedSize } from '../cost/plan.js';
import { QualificationStatus } from '../enums.js';
import { type AsOf, AsOfArgs, asOfFrom, asOfIdentity } from '../evaluation/as-of.js';
import {
  type Definition,
  decisiveTypes,
  type Range,
  RangeArgs,
  readDefinitions,
  requireAffordable,
  requireComparable,
} from '../evaluation/definitions.js';
import { readEvidence } from '../evaluation/evidence.js';
import { type Holdings, readHeld, readRosterHeld } from '../evaluation/holdings.js';
import { memberLink, qualificationLink } from '../evaluation/links.js';
import { pageOfRoster, readRoster } from '../evaluation/roster.js';
import { type Connection, connectionOf, PageArgs, toConnection } from '../reads/connection.js';
import { recordsOf, selectionOf } from '../reads/selection.js';

@ObjectType({
  description: 'The status of one member for one qualification.',
  simpleResolvers: true,
})
export class ReadinessCell {
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => QualificationStatus, { description: 'Whether the member is qualified.' })
  status!: ResultStatus;

  @Field(() => Int, {
    description: 'The number of required certification types that the member holds.',
  })
  metRequirementCount!: number;

  @Field(() => Int, { description: 'The number of required certification types.' })
  totalRequirementCount!: number;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The first day on which a qualified member is no longer qualified, derived from the dates ' +
      'of the records. Null when no such day is known.',
  })
  lostOn!: string | null;
}

@ObjectType({
  description: 'One row of the matrix: a member and the status for each qualification.',
  simpleResolvers: true,
})
export class MemberReadiness {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @AssumedSize(30)
  @Field(() => [ReadinessCell], {
    description: 'The cells of the row, one for each qualification in the order of `totals`.',
  })
  cells!: ReadinessCell[];
}

export const MemberReadinessConnection = connectionOf(MemberReadiness, 'MemberReadiness');

@ObjectType({
  description:
    'The number of qualified members for one qualification: the total of a column of the matrix.',
  simpleResolvers: true,
})
export class ReadinessTotal {
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => Int, { description: 'The number of matching members who are qualified.' })
  qualifiedCount!: number;
}

@ObjectType({
  description: 'A readiness matrix of members and qualifications. Suspended members are excluded.',
  simpleResolvers: true,
})
export class Readiness {
  @Field(() => DateScalar, { description: 'The day (UTC) of the matrix.' })
  asOf!: string;

  @Field(() => Int, { description: 'The number of matching members.' })
  memberCount!: number;
}

/** The parameters of a matrix; `totals` and `members` are read on demand. */
export interface Matrix extends Readiness {
  readonly organizationId: string;
  readonly identity: readonly unknown[];
  readonly at: AsOf;
  readonly definitions: readonly Definition[];
  readonly certificationTypeIds: readonly string[];
  readonly roster: readonly string[];
  /** The types held by the whole roster, if totals are selected. */
  readonly held: Holdings | undefined;
}

/**
 * @throws {ApiError} `validation_error` when the organization cannot use the job role or a
 * qualification, `invalid_request` when there are too many.
 */
export async function readMatrix(
  ctx: Context,
  info: GraphQLResolveInfo,
  range: Range,
  args: AsOfArgs,
): Promise<Matrix> {
  const { organizationId, qualificationIds, jobRoleId } = range;
  const identity = [
    'readiness',
    organizationId,
    qualificationIds ?? null,
    jobRoleId ?? null,
    ...asOfIdentity(args),
  ];
  const at = asOfFrom(ctx, args);
  const definitions = await readDefinitions(ctx, range);
  const certificationTypeIds = decisiveTypes(definitions);
  const held = selectionOf(info).has('totals')
    ? await readRosterHeld(ctx, range, certificationTypeIds, at)
    : undefined;
  const roster = held ? [...held.keys()] : await readRoster(ctx, range);
  if (held) requireComparable(ctx, held.size, definitions);
  return {
    organizationId,
    identity,
    at,
    definitions,
    certificationTypeIds,
    roster,
    held,
    asOf: at.day,
    memberCount: roster.length,
  };
}

export function totalsOf({ definitions, held }: Matrix): ReadinessTotal[] {
  const sets = [...(held as Holdings).values()];
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
  const { organizationId, identity, definitions, certificationTypeIds, at, roster } = matrix;
  const memberIds = pageOfRoster(roster, identity, args);
  requireAffordable(
    ctx,
    memberIds.length * definitions.length,
    'use a smaller "first", or fewer "qualificationIds"',
  );
  const wanted = { organizationId, memberIds, certificationTypeIds };
  const held = matrix.held ?? (await readHeld(ctx, wanted, at));
  const isLossAsked = recordsOf(selectionOf(info)).get('cells')?.has('lostOn');
  const evidence = isLossAsked ? await readEvidence(ctx, wanted, at) : undefined;
  const rows = memberIds.map((organizationMemberId) => {
    const types = held.get(organizationMemberId) ?? new Set();
    const lossOf = evidence && expirationsOf(at.day, evidence.get(organizationMemberId) ?? []);
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

@Resolver(() => Readiness)
export class ReadinessResolver {
  @Query(() => Readiness, {
    description:
      'Returns a readiness matrix: the status of each member for each qualification. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:read', 'certification_records:read')
  readiness(
    @Arg('organizationId', () => UUID, { description: 'The id of the organization.' })
    organizationId: string,
    @Args(() => RangeArgs) range: RangeArgs,
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.managed(organizationId);
    return readMatrix(ctx, info, { organizationId, ...range }, at);
  }

  @AssumedSize(30)
  @FieldResolver(() => [ReadinessTotal], {
    description: 'The number of qualified members among all matching members, per qualification.',
  })
  totals(@Root() matrix: Matrix) {
    return totalsOf(matrix);
  }

  @FieldResolver(() => MemberReadinessConnection, {
    description:
      'The matching members in order of name, each with the status for each qualification.',
  })
  members(
    @Root() matrix: Matrix,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readRows(ctx, info, matrix, args);
  }
}

export const MemberReadinessLink = memberLink(MemberReadiness);
export const ReadinessTotalLink = qualificationLink(ReadinessTotal);
export const ReadinessCellLink = qualificationLink(ReadinessCell);
