/** Forecasts when a member loses a qualification. */
import { coverageOf, lossAfter, qualifiedSpans } from './coverage.js';
import { type HeldRecord, spanAt } from './evidence.js';

/**
 * Returns, for any number of qualifications of one member, the first day after `day` (`YYYY-MM-DD`,
 * UTC) on which the requirements are no longer met; null when none is known, or they are not met on
 * `day`.
 */
export function expirationsOf(
  day: string,
  records: readonly HeldRecord[],
): (required: readonly string[]) => string | null {
  const coverage = coverageOf(records);
  return (required) => lossAfter(spanAt(day, qualifiedSpans(required, coverage)));
}
