/** Who loses a qualification when. */
import { dayAfter } from '../day.js';
import { coverageOf, lossAfter, qualifiedSpans } from './coverage.js';
import { type KnownRecord, spanOf } from './evidence.js';

/** That a member is no longer qualified from a day on. */
export interface Loss {
  /** The first day without the qualification. */
  readonly lostOn: string;
  /** The day on which records that are there already bring it back; null when none do. */
  readonly regainedOn: string | null;
  /** The records that end on the day before, without another to follow, in the order of the required types. */
  readonly through: KnownRecord[];
}

/**
 * Forecasts the losses of a member, in order: of each set of required types those within `days` after `day`.
 * @param records All that the member holds.
 */
export function forecaster(day: string, days: number, records: readonly KnownRecord[]): (required: readonly string[]) => Loss[] {
  const coverage = coverageOf(records);
  const horizon = dayAfter(day, days);
  return (required) => {
    const spans = qualifiedSpans(required, coverage);
    return spans.flatMap((span, index): Loss[] => {
      const lostOn = lossAfter(span);
      if (lostOn === null || lostOn <= day || lostOn > horizon) return [];
      const ending = required.filter((type) => coverage.get(type)?.some(({ until }) => until === span.until));
      const through = ending.flatMap((type) =>
        records.filter((record) => record.certificationTypeId === type && spanOf(record)?.until === span.until),
      );
      return [{ lostOn, regainedOn: spans[index + 1]?.from ?? null, through }];
    });
  };
}
