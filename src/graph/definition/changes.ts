/** What can be done to a definition after it was made: the same for each kind. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, type ClassType, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { ApiScope } from '../../auth/scopes.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { UUID } from '../scalars.js';
import { type Kind, readDefinition } from './reads.js';
import { moveDefinition, updateDefinition } from './service.js';
import { CertificationType, CertificationTypeUpdate, JobRole, JobRoleUpdate, Qualification, QualificationUpdate } from './type.js';

interface Subject {
  readonly kind: Kind;
  readonly type: ClassType<object>;
  readonly input: ClassType<object>;
  readonly scope: ApiScope;
  /** `CertificationType`; and in texts, `certification type`. */
  readonly name: string;
  readonly called: string;
}

const owner = { description: 'The organization that owns the definition.' };

/** The resolver of a kind: `update…`, `archive…`, `restore…`. */
function changesOf({ kind, type, input: Input, scope, name, called }: Subject) {
  const which = { description: `The id of the ${called}.` };

  @Resolver(() => type)
  class DefinitionChangeResolver {
    @Mutation(() => type, { name: `update${name}`, description: `Changes a ${called} of an organization.` })
    @Scope(scope)
    async update(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @Arg('input', () => Input, { description: 'What to change.' }) input: object,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await updateDefinition(ctx, kind, caller.managed(organizationId), id, input);
      return readDefinition(ctx, info, kind, caller, id, organizationId);
    }

    @Mutation(() => type, { name: `archive${name}`, description: `Puts a ${called} out of use. What refers to it stays.` })
    @Scope(scope)
    async archive(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await moveDefinition(ctx, kind, caller.managed(organizationId), id, 'archived');
      return readDefinition(ctx, info, kind, caller, id, organizationId);
    }

    @Mutation(() => type, { name: `restore${name}`, description: `Brings an archived ${called} back into use.` })
    @Scope(scope)
    async restore(
      @Arg('organizationId', () => UUID, owner) organizationId: string,
      @Arg('id', () => UUID, which) id: string,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      await moveDefinition(ctx, kind, caller.managed(organizationId), id, 'active');
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
  changesOf({ kind: 'jobRoles', type: JobRole, input: JobRoleUpdate, scope: 'job_roles:write', name: 'JobRole', called: 'job role' }),
];
