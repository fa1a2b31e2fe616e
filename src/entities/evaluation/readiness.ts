/** When a member loses what they are qualified for. */
import { coverageOf, lossAfter, qualifiedSpans, spanAt } from './coverage.js';
import type { HeldRecord } from './evidence.js';

/**
 * Looks ahead from a day (`YYYY-MM-DD`, UTC), for any number of qualifications of one member: the first day on which the member no longer meets what is
 * required; null when none is foreseen, or the member doesn't meet it on the day.
 */
export function lossesOf(day: string, records: readonly HeldRecord[]): (required: readonly string[]) => string | null {
  const coverage = coverageOf(records);
  return (required) => lossAfter(spanAt(day, qualifiedSpans(required, coverage)));
}
