import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context.js';
import { coverageOf, lossAfter, qualifiedSpans } from '../../entities/evaluation/coverage.js';
import { spanAt } from '../../entities/evaluation/evidence.js';
import { actionsFor } from '../../entities/evaluation/explanation.js';
import { requiredTypes } from '../../entities/evaluation/result.js';
import { DateScalar } from '../../scalars/scalars.js';
import { certificationLinks } from '../evaluation/links.js';
import type { AssessedResult } from '../result/assessment.js';
import { QualificationResult } from '../result/type.js';
import { explainResult, readSince } from './reads.js';
import { QualificationAction, RequirementResult } from './type.js';

const qualifiedDays = ({ requirements, records }: AssessedResult) =>
  qualifiedSpans(requiredTypes(requirements), coverageOf(records));

/** Adds the links from an explanation to the records of its member. */
const pointing = <Part extends object>(
  { organizationId, organizationMemberId }: AssessedResult,
  part: Part,
) => ({
  ...part,
  organizationId,
  organizationMemberId,
});

@Resolver(() => QualificationResult)
export class ExplanationResolver {
  @FieldResolver(() => [RequirementResult], {
    description: 'The result for each requirement, in the order of the requirements.',
  })
  async requirements(
    @Root() result: AssessedResult,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const explanations = await explainResult(ctx, info, result);
    return explanations.map((each) => ({
      ...pointing(result, each),
      actions: each.actions.map((action) => pointing(result, action)),
    }));
  }

  @FieldResolver(() => [QualificationAction], {
    description:
      'The smallest set of actions that would make the member qualified on the day, preferring ' +
      'actions without a new certificate. Empty when the member is qualified or the ' +
      'qualification requires nothing.',
  })
  async actions(
    @Root() result: AssessedResult,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const explanations = await explainResult(ctx, info, result);
    return actionsFor(explanations).map((action) => pointing(result, action));
  }

  @FieldResolver(() => DateScalar, {
    nullable: true,
    description:
      'The first day of the current status, derived from the dates of the records and the days ' +
      'on which they were revoked, archived or restored. Null when the status has never been ' +
      'different. Consistent with the results of `asOf` for earlier days.',
  })
  since(@Root() result: AssessedResult, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    return readSince(ctx, info, result);
  }

  @FieldResolver(() => DateScalar, {
    nullable: true,
    description:
      'The first day on which a qualified member is no longer qualified, derived from the dates ' +
      'of the records. Null when no such day is known.',
  })
  lostOn(@Root() result: AssessedResult) {
    return lossAfter(spanAt(result.asOf, qualifiedDays(result)));
  }
}

export const RequirementResultLinks = certificationLinks(RequirementResult);
export const QualificationActionLinks = certificationLinks(QualificationAction);
