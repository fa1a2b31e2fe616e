import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { PageArgs } from '../connection.js';
import { AssumedSize } from '../cost/plan.js';
import { RangeArgs } from '../evaluation/definitions.js';
import { memberLink, qualificationLink } from '../evaluation/links.js';
import { MomentArgs } from '../evaluation/moment.js';
import { type Matrix, readMatrix, readRows, totalsOf } from './reads.js';
import {
  MemberReadiness,
  MemberReadinessConnection,
  Readiness,
  ReadinessCell,
  ReadinessTotal,
} from './type.js';

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
    @Args(() => MomentArgs) moment: MomentArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.managed(organizationId);
    return readMatrix(ctx, info, { organizationId, ...range }, moment);
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
