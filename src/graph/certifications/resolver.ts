import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Certification, ValidityStatus } from '../../entities/certification.js';
import { type Dates, validityOn } from '../../rules/validity.js';
import { DateScalar, ExternalId, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { IfUpdatedAt } from '../input/precondition.js';
import { SyncArgs } from '../reads/connection.js';
import { CertificationFilters } from './filters.js';
import {
  findCertification,
  listCertifications,
  listMyCertifications,
  readCertification,
  readMyCertification,
} from './reads.js';
import { createCertification, ownMembership, updateCertification } from './service.js';
import { CertificationConnection, CertificationCreate, CertificationUpdate } from './type.js';

const organization = { description: 'The id of the organization that owns the record.' };

@Resolver(() => Certification)
export class CertificationResolver {
  @Query(() => CertificationConnection, {
    description:
      'Lists the certification records of an organization, oldest change first by default. ' +
      'Members without the `admin` or `manager` role see only their own records.',
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

  @Query(() => Certification, {
    description:
      'Returns a certification record of an organization. Requires the `admin` or `manager` role.',
  })
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

  @Query(() => Certification, {
    nullable: true,
    description:
      'Finds a certification record of an organization by its external id. It is null when there ' +
      'is none, or when the caller cannot read it: members without the `admin` or `manager` role ' +
      'see only their own records.',
  })
  @Scope('certification_records:read')
  findCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('externalId', () => ExternalId, {
      description: 'The id of the record in the external system.',
    })
    externalId: string,
    @Arg('externalSource', () => ExternalId, {
      nullable: true,
      description: 'The external system. When omitted, the record without one.',
    })
    externalSource: string | null | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const membership = caller.organization(organizationId);
    return findCertification(ctx, info, membership, externalId, externalSource ?? null);
  }

  @Query(() => CertificationConnection, {
    description:
      "Lists the caller's own certification records in all organizations, oldest change first.",
  })
  @Scope('certification_records:read')
  myCertifications(
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listMyCertifications(ctx, info, caller, args);
  }

  @Query(() => Certification, {
    description: "Returns one of the caller's own certification records.",
  })
  @Scope('certification_records:read')
  myCertification(
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readMyCertification(ctx, info, caller, id);
  }

  @Mutation(() => Certification, {
    description:
      'Creates a certification record for a member. Members without the `admin` or `manager` ' +
      'role can create only self-reported records of their own.',
  })
  @Scope('certification_records:write')
  createCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('input', () => CertificationCreate, { description: 'The new record.' })
    input: CertificationCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createCertification(ctx, info, caller.organization(organizationId), input, 'api');
  }

  @Mutation(() => Certification, {
    description:
      'Creates a certification record for the caller, in the primary membership or the one named by the input.',
  })
  @Scope('certification_records:write')
  createMyCertification(
    @Arg('input', () => CertificationCreate, { description: 'The new record.' })
    input: CertificationCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const membership = ownMembership(caller, input.organizationMemberId);
    const own = { ...input, organizationMemberId: membership.memberId };
    return createCertification(ctx, info, membership, own, 'self-reported');
  }

  @Mutation(() => Certification, {
    description:
      'Changes a certification record. A changed date, issuer or serial number resets its ' +
      'verification. Members without the `admin` or `manager` role can change only their own ' +
      'self-reported records.',
  })
  @Scope('certification_records:write')
  async updateCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Arg('input', () => CertificationUpdate, { description: 'The properties to change.' })
    input: CertificationUpdate,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await updateCertification(ctx, caller.organization(organizationId), id, input, ifUpdatedAt);
    return readCertification(ctx, info, organizationId, id);
  }

  @FieldResolver(() => ValidityStatus, {
    description:
      'The validity of the certification, today (UTC) by default, derived from its dates only.',
  })
  validityStatus(
    @Root() record: Dates,
    @Arg('asOf', () => DateScalar, {
      nullable: true,
      description:
        'The day (UTC), past or future, on which validity is determined from the current dates. Defaults to today.',
    })
    asOf: string | undefined,
    @Ctx() { today, config }: Context,
  ): ValidityStatus {
    return validityOn(asOf ?? today, config.EXPIRING_WINDOW_DAYS, record);
  }
}
