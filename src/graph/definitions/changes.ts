/** Mutations of existing definitions, identical for each kind. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, type ClassType, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { ApiScope } from '../../auth/scopes.js';
import type { Context } from '../../context.js';
import { CertificationType, JobRole, Qualification } from '../../entities/definition.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { IfUpdatedAt } from '../input/precondition.js';
import { type Kind, readDefinition } from './reads.js';
import { moveDefinition, updateDefinition } from './service.js';
import { CertificationTypeUpdate, JobRoleUpdate, QualificationUpdate } from './type.js';

interface Subject {
  readonly kind: Kind;
  readonly type: ClassType<object>;
  readonly input: ClassType<object>;
  readonly scope: ApiScope;
  /** `CertificationType`, or in texts `certification type`. */
  readonly name: string;
  readonly called: string;
}

const owner = { description: 'The id of the organization that owns the definition.' };

/** The resolver of one kind, with `update…`, `archive…` and `restore…`. */
function changesOf({ kind, type, input: Input, scope, name, called }: Subject) {
  const which = { description: `The id of the ${called}.` };

  @Resolver(() => type)
  class DefinitionChangeResolver {
    @Mutation(() => type, {
      name: `update${name}`,
      description: `Changes a ${called} of an organization. Requires the \`admin\` or \`manager\` role.`,
    })
    @Scope(scope)
    async update(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @Arg('input', () => Input, { description: 'The properties to change.' }) input: object,
      @IfUpdatedAt() ifUpdatedAt: string | undefined,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await updateDefinition(ctx, kind, caller.managed(organizationId), id, input, ifUpdatedAt);
      return readDefinition(ctx, info, kind, caller, id, organizationId);
    }

    @Mutation(() => type, {
      name: `archive${name}`,
      description: `Archives a ${called}. Records that refer to it stay unchanged. Requires the \`admin\` or \`manager\` role.`,
    })
    @Scope(scope)
    async archive(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @IfUpdatedAt() ifUpdatedAt: string | undefined,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await moveDefinition(ctx, kind, caller.managed(organizationId), id, 'archived', ifUpdatedAt);
      return readDefinition(ctx, info, kind, caller, id, organizationId);
    }

    @Mutation(() => type, {
      name: `restore${name}`,
      description: `Restores an archived ${called}. Requires the \`admin\` or \`manager\` role.`,
    })
    @Scope(scope)
    async restore(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @IfUpdatedAt() ifUpdatedAt: string | undefined,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await moveDefinition(ctx, kind, caller.managed(organizationId), id, 'active', ifUpdatedAt);
      return readDefinition(ctx, info, kind, caller, id, organizationId);
    }
  }

  return DefinitionChangeResolver;
}

export const definitionChangeResolvers = [
  changesOf({
    kind: 'certificationTypes',
    type: CertificationType,
    input: CertificationTypeUpdate,
    scope: 'certification_types:write',
    name: 'CertificationType',
    called: 'certification type',
  }),
  changesOf({
    kind: 'qualifications',
    type: Qualification,
    input: QualificationUpdate,
    scope: 'qualifications:write',
    name: 'Qualification',
    called: 'qualification',
  }),
  changesOf({
    kind: 'jobRoles',
    type: JobRole,
    input: JobRoleUpdate,
    scope: 'job_roles:write',
    name: 'JobRole',
    called: 'job role',
  }),
];
