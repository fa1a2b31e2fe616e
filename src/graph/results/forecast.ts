import { Arg, Args, ArgsType, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import type { KnownRecord } from '../../rules/evaluation/evidence.js';
import { forecaster } from '../../rules/evaluation/forecast.js';
import { isDay } from '../../scalars/day.js';
import { DateScalar, DayCount, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { AsOfArgs, asOfFrom, asOfIdentity } from '../evaluation/as-of.js';
import {
  type Definition,
  decisiveTypes,
  type Range,
  RangeArgs,
  readDefinitions,
  requireComparable,
} from '../evaluation/definitions.js';
import { readEvidence, readLapsing } from '../evaluation/evidence.js';
import { certificationLinks, memberLink, qualificationLink } from '../evaluation/links.js';
import { readRoster } from '../evaluation/roster.js';
import { type Connection, connectionOf, PageArgs, toConnection } from '../reads/connection.js';
import { decodeCursor, type Position } from '../reads/cursor.js';

@ObjectType({
  description: 'A record whose expiry causes the loss of a qualification.',
  simpleResolvers: true,
})
export class EndingRecord {
  @Field(() => UUID, { description: 'The id of the certification type.' })
  certificationTypeId!: string;

  @Field(() => UUID, { description: 'The id of the record.' })
  certificationId!: string;
}

@ObjectType({
  description: 'The loss of a qualification by a member from a day on, unless records are renewed.',
  simpleResolvers: true,
})
export class QualificationLoss {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => DateScalar, {
    description: 'The first day (UTC) on which the member is no longer qualified.',
  })
  lostOn!: string;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The day on which existing records make the member qualified again; null when none do.',
  })
  regainedOn!: string | null;

  @Field(() => [EndingRecord], {
    description:
      'The records to renew: they expire on the day before, and no other record of their type follows.',
  })
  through!: EndingRecord[];
}

export const QualificationLossConnection = connectionOf(QualificationLoss, 'QualificationLoss');

@ArgsType()
export class ForecastArgs extends PageArgs {
  @Field(() => DayCount, { description: 'The number of days to look ahead from `asOf`.' })
  days!: number;
}

/** Losses are ordered by day, qualification and member. */
const place = ({ lostOn, qualificationId, organizationMemberId }: QualificationLoss): Position => ({
  updatedAt: `${lostOn}/${qualificationId}`,
  id: organizationMemberId,
});
const isPlace = (text: string): boolean => isDay(text.slice(0, 10)) && text[10] === '/';
const keyOf = ({ updatedAt, id }: Position): string => `${updatedAt}/${id}`;

/**
 * @throws {ApiError} `validation_error` when the organization cannot use the job role or a
 * qualification, `invalid_request` when there are too many.
 */
export async function readForecast(
  ctx: Context,
  range: Range,
  { days, ...page }: ForecastArgs,
  args: AsOfArgs,
): Promise<Connection<QualificationLoss>> {
  const { organizationId, qualificationIds, jobRoleId } = range;
  const identity = [
    'forecast',
    organizationId,
    qualificationIds ?? null,
    jobRoleId ?? null,
    days,
    ...asOfIdentity(args),
  ];
  const after = page.after ? keyOf(decodeCursor(identity, page.after, 'after', isPlace)) : '';
  const at = asOfFrom(ctx, args);
  const definitions = await readDefinitions(ctx, range);
  const certificationTypeIds = decisiveTypes(definitions);
  const evidence = at.isPresent
    ? await readLapsing(ctx, range, certificationTypeIds, at, days)
    : await readEvidence(
        ctx,
        { organizationId, memberIds: await readRoster(ctx, range), certificationTypeIds },
        at,
      );
  requireComparable(ctx, evidence.size, definitions);
  const losses = [...evidence].flatMap(([memberId, records]) => {
    const forecast = forecaster(at.day, days, records);
    return definitions.flatMap((definition) =>
      lossesOf({ organizationId, organizationMemberId: memberId }, definition, forecast),
    );
  });
  const rows = losses
    .map((loss) => ({ loss, key: keyOf(place(loss)) }))
    .filter(({ key }) => key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, page.first + 1);
  return toConnection(
    () => identity,
    page,
    rows.map(({ loss }) => loss),
    place,
  );
}

interface Who {
  readonly organizationId: string;
  readonly organizationMemberId: string;
}

const lossesOf = (
  who: Who,
  { id, required }: Definition,
  forecast: ReturnType<typeof forecaster>,
): QualificationLoss[] =>
  forecast(required).map(({ lostOn, regainedOn, through }) => ({
    ...who,
    qualificationId: id,
    lostOn,
    regainedOn,
    through: through.map(({ certificationId, certificationTypeId }: KnownRecord) => ({
      ...who,
      certificationId,
      certificationTypeId,
    })),
  }));

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
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return readForecast(ctx, { organizationId, ...range }, args, at);
  }
}

export const QualificationLossMemberLink = memberLink(QualificationLoss);
export const QualificationLossLink = qualificationLink(QualificationLoss);
export const EndingRecordLinks = certificationLinks(EndingRecord);
