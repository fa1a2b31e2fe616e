/** What a record proves, and on which days. */
import type { Certification, Dates } from '../certification.js';
import { firstDay, lastDay } from '../day.js';

/** Days from the first to the last, `YYYY-MM-DD` in UTC, both included. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** What counts of a record. */
export type Evidence = Dates & Pick<Certification, 'lifecycleStatus' | 'verificationStatus' | 'source'>;

/** A record as the evaluator takes it. */
export type HeldRecord = Evidence & Pick<Certification, 'certificationTypeId'>;

/** A record that a result can point at. */
export type KnownRecord = HeldRecord & { readonly certificationId: string };

/** The days for which the dates of a record vouch; undefined when they tell nothing. Without a day of issue it is taken to be issued long ago. */
export const termOf = ({ issuedOn, expiresOn }: Dates): Span | undefined =>
  issuedOn === null && expiresOn === null ? undefined : { from: issuedOn ?? firstDay, until: expiresOn ?? lastDay };

/** What the holder reports counts once it is verified; anything else, unless the check failed. */
export const isTrusted = ({ source, verificationStatus }: Pick<Evidence, 'source' | 'verificationStatus'>): boolean =>
  source === 'self-reported' ? verificationStatus === 'verified' : verificationStatus !== 'failed';

/** The days on which a record counts towards a qualification; undefined when there are none. */
export const spanOf = (record: Evidence): Span | undefined =>
  record.lifecycleStatus === 'active' && isTrusted(record) ? termOf(record) : undefined;

/** Whether a record counts towards a qualification on a day. */
export function countsOn(day: string, record: Evidence): boolean {
  const span = spanOf(record);
  return span !== undefined && span.from <= day && day <= span.until;
}
