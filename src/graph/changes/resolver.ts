import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import type { Follower } from './follower.js';
import { listChanges } from './reads.js';
import { readChanged } from './records.js';
import { Change, ChangeConnection, ChangedRecord, ChangesArgs } from './type.js';

@Resolver(() => Change)
export class ChangeResolver {
  /** The subscription executes this field repeatedly; see stream.ts. */
  @Query(() => ChangeConnection, {
    description:
      'Lists the changes in an organization in commit order, including deletions, without gaps. ' +
      '`pageInfo.endCursor` is never null: without a cursor it is the current position, from ' +
      'which to continue after reading the lists. A page may be empty and still have a next ' +
      'page. Members without the `admin` or `manager` role see only changes of records that are ' +
      'or were their own, and of records that all members can read.',
  })
  @Scope('organizations:read')
  async changes(
    @Root() follower: Follower | undefined,
    @Arg('organizationId', () => UUID, { description: 'The organization that owns the records.' })
    organizationId: string,
    @Args(() => ChangesArgs) args: ChangesArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const read = (from: ChangesArgs) =>
      listChanges(ctx, info, caller.principal, organizationId, from);
    return follower ? follower.read(organizationId, args, read) : read(args);
  }

  @FieldResolver(() => ChangedRecord, {
    nullable: true,
    description:
      'The current state of the record; null when it no longer exists or the caller cannot read it.',
  })
  record(
    @Root() change: Change,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readChanged(ctx, info, caller.organization(change.organizationId), change);
  }
}
