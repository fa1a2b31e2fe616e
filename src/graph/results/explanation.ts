import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context.js';
import {
  coverageOf,
  lossAfter,
  qualifiedSpans,
  sinceWhen,
} from '../../rules/evaluation/coverage.js';
import { spanAt } from '../../rules/evaluation/evidence.js';
import {
  type Action,
  actionsFor,
  type Explanation,
  explain,
  type ActionKind as Kind,
  type MissReason as Reason,
} from '../../rules/evaluation/explanation.js';
import { requiredTypes } from '../../rules/evaluation/result.js';
import { activeDays, wasRevoked } from '../../rules/history.js';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { type Lifecycles, readLifecycles } from '../certifications/history/reads.js';
import { MissReason, QualificationActionKind } from '../enums.js';
import { certificationLinks } from '../evaluation/links.js';
import type { AssessedResult } from './assessment.js';
import { QualificationResult } from './type.js';

@ObjectType({ description: 'One action towards meeting a requirement.', simpleResolvers: true })
export class QualificationAction implements Action {
  @Field(() => QualificationActionKind, { description: 'The kind of action.' })
  kind!: Kind;

  @Field(() => UUID, { description: 'The required certification type.' })
  certificationTypeId!: string;

  @Field(() => UUID, {
    nullable: true,
    description: 'The record to act on or to replace; null when the member holds none.',
  })
  certificationId!: string | null;
}

@ObjectType({
  description:
    'The result of a member for one requirement on a day: the record that meets it, or the nearest miss.',
  simpleResolvers: true,
})
export class RequirementResult implements Explanation {
  @Field(() => UUID, { description: 'The required certification type.' })
  certificationTypeId!: string;

  @Field({
    description:
      'Whether the certification type is required; an optional one does not affect the result.',
  })
  isRequired!: boolean;

  @Field({ description: 'Whether the member meets the requirement.' })
  isMet!: boolean;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The record that meets the requirement; of several, the one that stays valid longest. If ' +
      'the requirement is not met, the nearest miss: records that need no new certificate ' +
      'first, then fewer actions, then the order of the reasons, then the last day. Null when ' +
      'the member holds no record of the type.',
  })
  certificationId!: string | null;

  @Field(() => MissReason, {
    nullable: true,
    description: 'Why the requirement is not met; null when it is met.',
  })
  reason!: Reason | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The date of the reason: the last day of an expired record, or the day of issue of a ' +
      'record issued in the future. Null for other reasons.',
  })
  reasonDay!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The last day on which the requirement is met without a gap, including by consecutive ' +
      'records. Null when it is not met or no end is known.',
  })
  metUntil!: string | null;

  @Field(() => [QualificationAction], {
    description:
      'The fewest actions that would meet the requirement, in order. Empty when it is met.',
  })
  actions!: QualificationAction[];
}

type Record = AssessedResult['records'][number];

const lifecyclesOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
  records: readonly Record[],
): Promise<Lifecycles> => {
  const { organizationId, at } = result;
  return readLifecycles(
    ctx,
    info,
    { organizationId, ids: records.map(({ certificationId }) => certificationId) },
    at.knownAt,
  );
};

/**
 * Explains a result. A record that was revoked before it was archived cannot be restored, and
 * counts as revoked.
 */
export async function explainResult(
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
): Promise<Explanation[]> {
  const { asOf, requirements, records } = result;
  const archived = records.filter(({ lifecycleStatus }) => lifecycleStatus === 'archived');
  const lifecycles = await lifecyclesOf(ctx, info, result, archived);
  const known = records.map((record) =>
    wasRevoked(lifecycles.get(record.certificationId) ?? [], asOf)
      ? { ...record, lifecycleStatus: 'revoked' as const }
      : record,
  );
  return explain(asOf, requirements, known);
}

/** The first day of the current status. Records revoked or archived since then counted before. */
export async function readSince(
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
): Promise<string | null> {
  const { asOf, requirements, records } = result;
  const unknown = records.filter((record) => !record.activeDays);
  const lifecycles = await lifecyclesOf(ctx, info, result, unknown);
  const known = records.map((record) => {
    const versions = lifecycles.get(record.certificationId);
    return versions ? { ...record, activeDays: activeDays(versions) } : record;
  });
  return sinceWhen(asOf, qualifiedSpans(requiredTypes(requirements), coverageOf(known)));
}

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
