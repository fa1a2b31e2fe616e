import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Access } from '../../../auth/policy.js';
import type { Context } from '../../../context.js';
import { Certification } from '../../../entities/certification.js';
import { Caller, Scope } from '../../access.js';
import { listHistory } from './reads.js';
import { CertificationChange, HistoryArgs } from './type.js';

type Key = Pick<Certification, 'id' | 'organizationId' | 'organizationMemberId'>;

@Resolver(() => Certification)
export class HistoryResolver {
  @FieldResolver(() => [CertificationChange], {
    description: 'The change history of the record, newest first.',
  })
  @Scope('certification_records:read')
  history(
    @Root() { id, organizationId, organizationMemberId }: Key,
    @Args(() => HistoryArgs) args: HistoryArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, organizationMemberId);
    return listHistory(ctx, info, { organizationId, id }, args);
  }
}
