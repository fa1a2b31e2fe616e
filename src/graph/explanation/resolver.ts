import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context.js';
import { coverageOf, lossAfter, qualifiedSpans, sinceWhen, spanAt } from '../../entities/evaluation/coverage.js';
import { actionsFor } from '../../entities/evaluation/explanation.js';
import { requiredTypes } from '../../entities/evaluation/result.js';
import { certificationLinks } from '../evaluation/links.js';
import type { AssessedResult } from '../result/assessment.js';
import { QualificationResult } from '../result/type.js';
import { DateScalar } from '../scalars.js';
import { explainResult } from './reads.js';
import { QualificationAction, RequirementResult } from './type.js';

const qualifiedDays = ({ requirements, records }: AssessedResult) => qualifiedSpans(requiredTypes(requirements), coverageOf(records));

/** Adds what leads from an explanation to the records of the member that it is about. */
const pointing = <Part extends object>({ organizationId, organizationMemberId }: AssessedResult, part: Part) => ({
  ...part,
  organizationId,
  organizationMemberId,
});

@Resolver(() => QualificationResult)
export class ExplanationResolver {
  @FieldResolver(() => [RequirementResult], { description: 'How the member stands with each requirement, in their order.' })
  async requirements(@Root() result: AssessedResult, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    const explanations = await explainResult(ctx, info, result);
    return explanations.map((each) => ({
      ...pointing(result, each),
      actions: each.actions.map((action) => pointing(result, action)),
    }));
  }

  @FieldResolver(() => [QualificationAction], {
    description:
      'The smallest set of actions after which the member would be qualified on the day, preferring those that need no new certificate. None when the member is qualified, or nothing is required.',
  })
  async actions(@Root() result: AssessedResult, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    const explanations = await explainResult(ctx, info, result);
    return actionsFor(explanations).map((action) => pointing(result, action));
  }

  @FieldResolver(() => DateScalar, {
    nullable: true,
    description: 'Since which day the status holds, by the dates of the records; null when it always did.',
  })
  since(@Root() result: AssessedResult) {
    return sinceWhen(result.asOf, qualifiedDays(result));
  }

  @FieldResolver(() => DateScalar, {
    nullable: true,
    description: 'The first day on which a qualified member no longer is, by the dates of the records; null when none is foreseen.',
  })
  lostOn(@Root() result: AssessedResult) {
    return lossAfter(spanAt(result.asOf, qualifiedDays(result)));
  }
}

export const RequirementResultLinks = certificationLinks(RequirementResult);
export const QualificationActionLinks = certificationLinks(QualificationAction);
