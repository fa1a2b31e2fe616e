import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Qualification } from '../../entities/definition.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { readReferredDefinition } from '../definitions/reads.js';
import { AsOfArgs } from '../evaluation/as-of.js';
import { PageArgs } from '../reads/connection.js';
import { listResults, readMyResult, readResult } from './reads.js';
import { QualificationResult, QualificationResultConnection } from './type.js';

const organization = { description: 'The id of the organization of the member.' };
const member = { description: 'The id of the member.' };
const qualification = { description: 'The id of the qualification.' };

@Resolver(() => QualificationResult)
export class QualificationResultResolver {
  @Query(() => QualificationResultConnection, {
    description:
      "Lists a member's results for all active qualifications that the organization can use. Members without the `admin` or `manager` role can read only their own.",
  })
  @Scope('organization_members:read', 'certification_records:read')
  qualificationResults(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) memberId: string,
    @Args(() => PageArgs) args: PageArgs,
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, memberId);
    return listResults(ctx, info, { organizationId, memberId }, { ...args, ...at });
  }

  @Query(() => QualificationResult, {
    description:
      "Returns a member's result for one qualification, with the reasons. Members without the `admin` or `manager` role can read only their own.",
  })
  @Scope('organization_members:read', 'certification_records:read')
  qualificationResult(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) memberId: string,
    @Arg('qualificationId', () => UUID, qualification) id: string,
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, memberId);
    return readResult(ctx, info, { organizationId, memberId }, id, at);
  }

  @Query(() => QualificationResult, {
    description: "Returns the caller's own result for a qualification.",
  })
  @Scope('organization_members:read', 'certification_records:read')
  myQualificationResult(
    @Arg('qualificationId', () => UUID, qualification) id: string,
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readMyResult(ctx, info, caller, id, at);
  }

  @FieldResolver(() => Qualification, { description: 'The qualification.' })
  @Scope('qualifications:read')
  qualification(
    @Root() result: { qualificationId: string },
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readReferredDefinition(ctx, info, 'qualifications', result.qualificationId);
  }
}
