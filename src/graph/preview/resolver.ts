import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { PageArgs } from '../connection.js';
import { memberLink } from '../evaluation/links.js';
import { MomentArgs } from '../evaluation/moment.js';
import { RequirementInput } from '../qualification/type.js';
import { listConcerned, type Preview, previewRequirements } from './reads.js';
import { PreviewedMember, PreviewedMemberConnection, RequirementsPreview } from './type.js';

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
    @Args(() => MomentArgs) moment: MomentArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return previewRequirements(ctx, organizationId, id, requirements, moment);
  }

  @FieldResolver(() => PreviewedMemberConnection, {
    description: 'The members who would gain or lose the qualification, in order of name.',
  })
  changes(@Root() preview: Preview, @Args(() => PageArgs) args: PageArgs) {
    return listConcerned(preview, args);
  }
}

export const PreviewedMemberLink = memberLink(PreviewedMember);
