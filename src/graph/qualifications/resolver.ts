import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import {
  CertificationType,
  Qualification,
  QualificationRequirement,
} from '../../entities/definition.js';
import { Text, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { listDefinitions, readDefinition, readReferredDefinition } from '../definitions/reads.js';
import { createDefinition } from '../definitions/service.js';
import { QualificationConnection, QualificationCreate } from '../definitions/type.js';
import { IfUpdatedAt } from '../input/precondition.js';
import { SyncArgs } from '../reads/connection.js';
import { listRequirements, listUsableRequirements, replaceRequirements } from './requirements.js';
import { RequirementsReplace } from './type.js';

const optionalOrganization = {
  nullable: true,
  description:
    'The organization whose own and standard definitions are visible. When omitted, all definitions that the caller can read.',
};
const organization = {
  description: 'The id of the organization whose own and standard definitions are visible.',
};
const owner = { description: 'The id of the organization that owns the qualification.' };
const qualification = { description: 'The id of the qualification.' };

@Resolver(() => Qualification)
export class QualificationResolver {
  @Query(() => QualificationConnection, {
    description: 'Lists the qualifications that an organization can use, oldest change first.',
  })
  @Scope('qualifications:read')
  qualifications(
    @Arg('organizationId', () => UUID, optionalOrganization) organizationId: string | undefined,
    @Arg('q', () => Text, {
      nullable: true,
      description:
        'Returns only qualifications that contain this text in the name, slug or description. Case-insensitive.',
    })
    term: string | undefined,
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitions(ctx, info, 'qualifications', caller, { organizationId, term }, args);
  }

  @Query(() => Qualification, { description: 'Returns a qualification.' })
  @Scope('qualifications:read')
  qualification(
    @Arg('id', () => UUID, qualification) id: string,
    @Arg('organizationId', () => UUID, optionalOrganization) organizationId: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readDefinition(ctx, info, 'qualifications', caller, id, organizationId);
  }

  @Query(() => [QualificationRequirement], {
    description: 'Lists the requirements of a qualification, in order.',
  })
  @Scope('qualifications:read')
  qualificationRequirements(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('qualificationId', () => UUID, qualification) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listUsableRequirements(
      ctx,
      info,
      caller.organization(organizationId).organizationId,
      id,
    );
  }

  @Mutation(() => Qualification, {
    description:
      'Creates a qualification of an organization. Requires the `admin` or `manager` role.',
  })
  @Scope('qualifications:write')
  createQualification(
    @Arg('organizationId', () => UUID, owner) organizationId: string,
    @Arg('input', () => QualificationCreate, { description: 'The new qualification.' })
    input: QualificationCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createDefinition(ctx, info, 'qualifications', caller.managed(organizationId), input);
  }

  @Mutation(() => [QualificationRequirement], {
    description:
      'Replaces the requirements of a qualification. Requires the `admin` or `manager` role.',
  })
  @Scope('qualifications:write')
  replaceQualificationRequirements(
    @Arg('organizationId', () => UUID, owner) organizationId: string,
    @Arg('qualificationId', () => UUID, qualification) id: string,
    @Arg('input', () => RequirementsReplace, { description: 'The new requirements.' }) {
      requirements,
    }: RequirementsReplace,
    @IfUpdatedAt('qualification') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const membership = caller.managed(organizationId);
    return replaceRequirements(ctx, info, membership, id, requirements, ifUpdatedAt);
  }

  @FieldResolver(() => [QualificationRequirement], {
    description: 'The requirements of the qualification, in order.',
  })
  requirements(
    @Root() { id }: { id: string },
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listRequirements(ctx, info, id);
  }
}

@Resolver(() => QualificationRequirement)
export class QualificationRequirementResolver {
  @FieldResolver(() => CertificationType, { description: 'The certification type.' })
  @Scope('certification_types:read')
  certificationType(
    @Root() requirement: { certificationTypeId: string },
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readReferredDefinition(ctx, info, 'certificationTypes', requirement.certificationTypeId);
  }
}
