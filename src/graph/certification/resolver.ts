import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Dates, type ValidityStatus as Validity, validityOn } from '../../entities/certification.js';
import { Caller, Scope } from '../access.js';
import { SyncArgs } from '../connection.js';
import { ValidityStatus } from '../enums.js';
import { DateScalar, UUID } from '../scalars.js';
import { CertificationFilters } from './filters.js';
import { listCertifications, listMyCertifications, readCertification, readMyCertification } from './reads.js';
import { createCertification, ownMembership, updateCertification } from './service.js';
import { CertificationConnection, CertificationCreate, CertificationRecord, CertificationUpdate } from './type.js';

const organization = { description: 'The organization that keeps the record.' };

@Resolver(() => CertificationRecord)
export class CertificationResolver {
  @Query(() => CertificationConnection, {
    description: 'The certification records of an organization, oldest change first. Without the role admin or manager: your own.',
  })
  @Scope('certification_records:read')
  certifications(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Args(() => CertificationFilters) filters: CertificationFilters,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listCertifications(ctx, info, caller.organization(organizationId), filters);
  }

  @Query(() => CertificationRecord, { description: 'One certification record of an organization.' })
  @Scope('certification_records:read')
  async certification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readCertification(ctx, info, caller.managed(organizationId).organizationId, id);
  }

  @Query(() => CertificationConnection, { description: 'Your own certification records, in all organizations, oldest change first.' })
  @Scope('certification_records:read')
  myCertifications(@Args(() => SyncArgs) args: SyncArgs, @Caller() caller: Access, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    return listMyCertifications(ctx, info, caller, args);
  }

  @Query(() => CertificationRecord, { description: 'One of your own certification records.' })
  @Scope('certification_records:read')
  myCertification(
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readMyCertification(ctx, info, caller, id);
  }

  @Mutation(() => CertificationRecord, { description: 'Records a certification of a member.' })
  @Scope('certification_records:write')
  createCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('input', () => CertificationCreate, { description: 'The new record.' }) input: CertificationCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createCertification(ctx, info, caller.organization(organizationId), input, 'api');
  }

  @Mutation(() => CertificationRecord, {
    description: 'Records a certification of your own, in your primary membership or the one that the input names.',
  })
  @Scope('certification_records:write')
  createMyCertification(
    @Arg('input', () => CertificationCreate, { description: 'The new record.' }) input: CertificationCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const membership = ownMembership(caller, input.organizationMemberId);
    const own = { ...input, organizationMemberId: membership.memberId };
    return createCertification(ctx, info, membership, own, 'self-reported');
  }

  @Mutation(() => CertificationRecord, { description: 'Changes a certification record. Changing what was verified makes it unverified.' })
  @Scope('certification_records:write')
  async updateCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Arg('input', () => CertificationUpdate, { description: 'What to change.' }) input: CertificationUpdate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await updateCertification(ctx, caller.organization(organizationId), id, input);
    return readCertification(ctx, info, organizationId, id);
  }

  @FieldResolver(() => ValidityStatus, { description: 'Whether the certification holds today (UTC), from its dates.' })
  validityStatus(
    @Root() record: Dates,
    @Arg('asOf', () => DateScalar, {
      nullable: true,
      description: 'Whether it holds on this day (UTC), past or future, by its dates as they are.',
    })
    asOf: string | undefined,
    @Ctx() { today, config }: Context,
  ): Validity {
    return validityOn(asOf ?? today, config.EXPIRING_WINDOW_DAYS, record);
  }
}
