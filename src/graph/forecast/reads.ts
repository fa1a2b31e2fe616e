/** Forecasts losses of qualifications. */
import type { Context } from '../../context.js';
import { isDay } from '../../entities/day.js';
import type { KnownRecord } from '../../entities/evaluation/evidence.js';
import { forecaster } from '../../entities/evaluation/forecast.js';
import { type Connection, toConnection } from '../connection.js';
import { decodeCursor, type Position } from '../cursor.js';
import {
  type Definition,
  decisiveTypes,
  type Range,
  readDefinitions,
  requireComparable,
} from '../evaluation/definitions.js';
import { readEvidence, readLapsing } from '../evaluation/evidence.js';
import { identityOfMoment, type MomentArgs, momentOf } from '../evaluation/moment.js';
import { readRoster } from '../evaluation/roster.js';
import type { ForecastArgs, QualificationLoss } from './type.js';

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
  args: MomentArgs,
): Promise<Connection<QualificationLoss>> {
  const { organizationId, qualificationIds, jobRoleId } = range;
  const identity = [
    'forecast',
    organizationId,
    qualificationIds ?? null,
    jobRoleId ?? null,
    days,
    ...identityOfMoment(args),
  ];
  const after = page.after ? keyOf(decodeCursor(identity, page.after, 'after', isPlace)) : '';
  const moment = momentOf(ctx, args);
  const definitions = await readDefinitions(ctx, range);
  const certificationTypeIds = decisiveTypes(definitions);
  const evidence = moment.isPresent
    ? await readLapsing(ctx, range, certificationTypeIds, moment, days)
    : await readEvidence(
        ctx,
        { organizationId, memberIds: await readRoster(ctx, range), certificationTypeIds },
        moment,
      );
  requireComparable(ctx, evidence.size, definitions);
  const losses = [...evidence].flatMap(([memberId, records]) => {
    const forecast = forecaster(moment.day, days, records);
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
