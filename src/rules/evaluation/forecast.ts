/** Forecasts losses of qualifications. */
import { dayAfter } from '../../scalars/day.js';
import { coverageOf, lossAfter, qualifiedSpans } from './coverage.js';
import { type KnownRecord, spanAt, spansOf } from './evidence.js';

/** The loss of a qualification from a day on. */
export interface Loss {
  /** The first day without the qualification. */
  readonly lostOn: string;
  /** The day on which existing records restore it; null when none do. */
  readonly regainedOn: string | null;
  /**
   * The records that end on the day before without a successor, in the order of the required types.
   */
  readonly through: KnownRecord[];
}

/**
 * Forecasts the losses of a member in order: for each set of required types, those within `days`
 * after `day`. Only a qualification held on the day can be lost.
 * @param records All records of the member.
 */
export function forecaster(
  day: string,
  days: number,
  records: readonly KnownRecord[],
): (required: readonly string[]) => Loss[] {
  const coverage = coverageOf(records);
  const horizon = dayAfter(day, days);
  return (required) => {
    const spans = qualifiedSpans(required, coverage);
    if (!spanAt(day, spans)) return [];
    return spans.flatMap((span, index): Loss[] => {
      const lostOn = lossAfter(span);
      if (lostOn === null || lostOn <= day || lostOn > horizon) return [];
      const ending = required.filter((type) =>
        coverage.get(type)?.some(({ until }) => until === span.until),
      );
      const through = ending.flatMap((type) =>
        records.filter(
          (record) =>
            record.certificationTypeId === type &&
            spansOf(record).some(({ until }) => until === span.until),
        ),
      );
      return [{ lostOn, regainedOn: spans[index + 1]?.from ?? null, through }];
    });
  };
}
