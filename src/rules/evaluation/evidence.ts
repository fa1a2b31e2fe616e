/** Determines the days on which a record counts. */
import type { Certification } from '../../entities/certification.js';
import { firstDay, lastDay } from '../../scalars/day.js';
import type { Dates } from '../validity.js';

/** Days from the first to the last, `YYYY-MM-DD` in UTC, both included. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** The record properties that determine whether it counts. */
export interface Evidence
  extends Dates,
    Pick<Certification, 'lifecycleStatus' | 'verificationStatus' | 'source'> {
  /**
   * The days on which it is active, in order. When undefined, its lifecycle state applies to all
   * days.
   */
  readonly activeDays?: readonly Span[];
}

/** The evaluator's input. */
export type HeldRecord = Evidence & Pick<Certification, 'certificationTypeId'>;

/** A record that a result can refer to. */
export type KnownRecord = HeldRecord & { readonly certificationId: string };

/**
 * The days covered by the dates of a record; undefined without any date. Without a day of issue,
 * the span begins at the first day.
 */
export const termOf = ({ issuedOn, expiresOn }: Dates): Span | undefined =>
  issuedOn === null && expiresOn === null
    ? undefined
    : { from: issuedOn ?? firstDay, until: expiresOn ?? lastDay };

/** A self-reported record counts when it is verified; any other, unless its verification failed. */
export const isTrusted = ({
  source,
  verificationStatus,
}: Pick<Evidence, 'source' | 'verificationStatus'>): boolean =>
  source === 'self-reported' ? verificationStatus === 'verified' : verificationStatus !== 'failed';

/** The intersection of two ordered lists of spans. */
export const intersection = (some: readonly Span[], others: readonly Span[]): readonly Span[] =>
  some.flatMap((a) =>
    others
      .map((b) => ({
        from: (a.from > b.from ? a : b).from,
        until: (a.until < b.until ? a : b).until,
      }))
      .filter(({ from, until }) => from <= until),
  );

/** The span that contains a day. */
export const spanAt = (day: string, spans: readonly Span[]): Span | undefined =>
  spans.find(({ from, until }) => from <= day && day <= until);

/** The days on which a record counts towards a qualification, in order. */
export function spansOf(record: Evidence): readonly Span[] {
  const term = isTrusted(record) ? termOf(record) : undefined;
  if (!term) return [];
  if (record.activeDays) return intersection([term], record.activeDays);
  return record.lifecycleStatus === 'active' ? [term] : [];
}

/** Whether a record counts towards a qualification on a day. */
export const countsOn = (day: string, record: Evidence): boolean =>
  spanAt(day, spansOf(record)) !== undefined;
