import { Arg, Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { RangeArgs } from '../evaluation/definitions.js';
import { certificationLinks, memberLink, qualificationLink } from '../evaluation/links.js';
import { MomentArgs } from '../evaluation/moment.js';
import { readForecast } from './reads.js';
import {
  EndingRecord,
  ForecastArgs,
  QualificationLoss,
  QualificationLossConnection,
} from './type.js';

@Resolver()
export class ForecastResolver {
  @Query(() => QualificationLossConnection, {
    description:
      'Lists the qualifications that members lose within a number of days unless records are ' +
      'renewed, ordered by day, qualification and member. Requires the `admin` or `manager` ' +
      'role.',
  })
  @Scope('organization_members:read', 'certification_records:read')
  qualificationForecast(
    @Arg('organizationId', () => UUID, { description: 'The id of the organization.' })
    organizationId: string,
    @Args(() => ForecastArgs) args: ForecastArgs,
    @Args(() => RangeArgs) range: RangeArgs,
    @Args(() => MomentArgs) moment: MomentArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return readForecast(ctx, { organizationId, ...range }, args, moment);
  }
}

export const QualificationLossMemberLink = memberLink(QualificationLoss);
export const QualificationLossLink = qualificationLink(QualificationLoss);
export const EndingRecordLinks = certificationLinks(EndingRecord);
