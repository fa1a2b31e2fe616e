import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { evaluate, isMet, requiredTypes } from '../../rules/evaluation/result.js';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { PreviewEffect } from '../enums.js';
import { AsOfArgs, asOfFrom, asOfIdentity } from '../evaluation/as-of.js';
import { type Definition, decisiveTypes, readDefinitions } from '../evaluation/definitions.js';
import { readRosterHeld } from '../evaluation/holdings.js';
import { memberLink } from '../evaluation/links.js';
import { pageOfRoster } from '../evaluation/roster.js';
import { requireUsable } from '../qualifications/requirements.js';
import { RequirementInput } from '../qualifications/type.js';
import { type Connection, connectionOf, PageArgs, toConnection } from '../reads/connection.js';

@ObjectType({
  description: 'A member who would gain or lose the qualification.',
  simpleResolvers: true,
})
export class PreviewedMember {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @Field(() => PreviewEffect, {
    description: 'Whether the member would gain or lose the qualification.',
  })
  effect!: 'gains' | 'loses';

  @Field(() => [UUID], {
    description: 'The ids of the certification types that the member would lack.',
  })
  missingCertificationTypeIds!: string[];
}

export const PreviewedMemberConnection = connectionOf(PreviewedMember, 'PreviewedMember');

@ObjectType({
  description: 'The effect of a change of requirements in an organization. Nothing is written.',
  simpleResolvers: true,
})
export class RequirementsPreview {
  @Field(() => DateScalar, { description: 'The day (UTC) of the preview.' })
  asOf!: string;

  @Field(() => Int, {
    description: 'The number of members who are qualified under the current requirements.',
  })
  qualifiedBefore!: number;

  @Field(() => Int, {
    description: 'The number of members who would be qualified under the new requirements.',
  })
  qualifiedAfter!: number;

  @Field(() => Int, { description: 'The number of members who would gain the qualification.' })
  gainCount!: number;

  @Field(() => Int, { description: 'The number of members who would lose the qualification.' })
  lossCount!: number;
}

/** A preview with all affected members, in order of name. */
export interface Preview extends RequirementsPreview {
  readonly identity: readonly unknown[];
  readonly concerned: readonly PreviewedMember[];
}

/**
 * @throws {ApiError} `validation_error` when the organization cannot use the qualification, or the
 * set is invalid.
 */
export async function previewRequirements(
  ctx: Context,
  organizationId: string,
  qualificationId: string,
  requirements: RequirementInput[],
  args: AsOfArgs,
): Promise<Preview> {
  const at = asOfFrom(ctx, args);
  const range = { organizationId, qualificationIds: [qualificationId] };
  const [definition] = (await readDefinitions(ctx, range, () => 'qualificationId')) as [Definition];
  await requireUsable(ctx, organizationId, qualificationId, requirements);
  const required = requiredTypes(requirements);
  const held = await readRosterHeld(
    ctx,
    { organizationId },
    decisiveTypes([definition, { required }]),
    at,
  );
  const compared = [...held].map(([organizationMemberId, types]) => ({
    organizationId,
    organizationMemberId,
    ...compare(definition.required, required, types),
  }));
  const concerned = compared.flatMap(({ effect, ...member }) =>
    effect ? [{ ...member, effect }] : [],
  );
  return {
    identity: ['preview', organizationId, qualificationId, requirements, ...asOfIdentity(args)],
    asOf: at.day,
    qualifiedBefore: compared.filter(({ isQualified }) => isQualified.before).length,
    qualifiedAfter: compared.filter(({ isQualified }) => isQualified.after).length,
    gainCount: concerned.filter(({ effect }) => effect === 'gains').length,
    lossCount: concerned.filter(({ effect }) => effect === 'loses').length,
    concerned,
  };
}

function compare(old: readonly string[], wanted: readonly string[], held: ReadonlySet<string>) {
  const before = isMet(old, held);
  const { status, missingCertificationTypeIds } = evaluate(wanted, held);
  const after = status === 'qualified';
  const effect = before === after ? undefined : after ? ('gains' as const) : ('loses' as const);
  return { isQualified: { before, after }, effect, missingCertificationTypeIds };
}

export function listConcerned(
  { identity, concerned }: Preview,
  args: PageArgs,
): Connection<PreviewedMember> {
  const byId = new Map(concerned.map((each) => [each.organizationMemberId, each]));
  const page = pageOfRoster([...byId.keys()], identity, args);
  return toConnection(
    () => identity,
    args,
    page.flatMap((id) => byId.get(id) ?? []),
    ({ organizationMemberId }) => ({ updatedAt: '', id: organizationMemberId }),
  );
}

@Resolver(() => RequirementsPreview)
export class PreviewResolver {
  @Query(() => RequirementsPreview, {
    description:
      'Previews which members would gain or lose a qualification if its requirements were ' +
      'replaced. Nothing is written. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:read', 'certification_records:read', 'qualifications:read')
  previewRequirements(
    @Arg('organizationId', () => UUID, {
      description: 'The organization whose members are evaluated.',
    })
    organizationId: string,
    @Arg('qualificationId', () => UUID, {
      description: 'An active qualification that the organization can use.',
    })
    id: string,
    @Arg('requirements', () => [RequirementInput], {
      description:
        'The complete new requirements, in order: up to 200, each certification type once.',
    })
    requirements: RequirementInput[],
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return previewRequirements(ctx, organizationId, id, requirements, at);
  }

  @FieldResolver(() => PreviewedMemberConnection, {
    description: 'The members who would gain or lose the qualification, in order of name.',
  })
  changes(@Root() preview: Preview, @Args(() => PageArgs) args: PageArgs) {
    return listConcerned(preview, args);
  }
}

export const PreviewedMemberLink = memberLink(PreviewedMember);
