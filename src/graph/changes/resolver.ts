import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { UUID } from '../scalars.js';
import type { Follower } from './follower.js';
import { listChanges } from './reads.js';
import { readChanged } from './records.js';
import { Change, ChangeConnection, ChangedRecord, ChangesArgs } from './type.js';

@Resolver(() => Change)
export class ChangeResolver {
  /** The subscription is this field, asked again by its follower (stream.ts). */
  @Query(() => ChangeConnection, {
    description:
      'What changed in an organization, in commit order: nothing is missed, and deletions are reported. `pageInfo.endCursor` is never null: without a position it is the current one, from which to continue after reading the lists. A page may be empty and still have a next one. Without the role admin or manager: what is or was your own, and what all members read.',
  })
  @Scope('organizations:read')
  async changes(
    @Root() follower: Follower | undefined,
    @Arg('organizationId', () => UUID, { description: 'The organization that owns the records.' }) organizationId: string,
    @Args(() => ChangesArgs) args: ChangesArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const read = (from: ChangesArgs) => listChanges(ctx, info, caller.principal, organizationId, from);
    return follower ? follower.read(organizationId, args, read) : read(args);
  }

  @FieldResolver(() => ChangedRecord, {
    nullable: true,
    description: 'The record as it is now; null when it no longer exists, or is not yours to read.',
  })
  record(@Root() change: Change, @Caller() caller: Access, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    return readChanged(ctx, info, caller.organization(change.organizationId), change);
  }
}
