/**
 * Past states of a certification record, computed from its versions:
 * - `asOf`: the state on a day, with all data known now, whenever it was recorded. The latest
 *   dates, type, holder, source and verification apply to every day. A lifecycle change applies
 *   from its effective day.
 * - `knownAt`: the same, from only the versions that were recorded by that instant.
 */
import type { Certification, LifecycleStatus } from '../entities/certification.js';
import { dayAfter, firstDay, lastDay } from '../scalars/day.js';
import type { Span } from './evaluation/evidence.js';

/** The properties of a certification record that an evaluation needs. */
export type RecordState = Pick<
  Certification,
  | 'organizationMemberId'
  | 'certificationTypeId'
  | 'source'
  | 'issuedOn'
  | 'expiresOn'
  | 'issuerName'
  | 'lifecycleStatus'
  | 'verificationStatus'
  | 'verificationMethod'
> & { readonly certificationId: string };

/** The lifecycle part of a version. */
export interface LifecycleVersion extends Pick<Certification, 'lifecycleStatus'> {
  /** The UTC day (`YYYY-MM-DD`) from which a lifecycle change applies. */
  readonly effectiveOn: string;
}

/** The state of a record after one change. */
export interface Version extends RecordState, LifecycleVersion {
  /** The instant of the change: its version. */
  readonly recordedAt: string;
}

/** A lifecycle state and its first day. */
interface Period {
  readonly from: string;
  readonly status: LifecycleStatus;
}

/**
 * Each change applies from its effective day and overrides all that was recorded before it. The
 * initial state applies before all changes.
 */
function periodsOf(versions: readonly LifecycleVersion[]): Period[] {
  let periods: Period[] = [];
  for (const [index, { lifecycleStatus: status, effectiveOn }] of versions.entries()) {
    if (status === versions[index - 1]?.lifecycleStatus) continue;
    const from = index === 0 ? firstDay : effectiveOn;
    periods = periods.filter((period) => period.from < from);
    if (periods.at(-1)?.status !== status) periods.push({ from, status });
  }
  return periods;
}

/**
 * The state of a record on a day (`YYYY-MM-DD`, UTC).
 * @param versions The known versions of one record, oldest first.
 * @returns Undefined when nothing was known of it.
 */
export function replay(versions: readonly Version[], asOf: string): RecordState | undefined {
  const last = versions.at(-1);
  if (!last) return undefined;
  const { recordedAt, effectiveOn, ...evidence } = last;
  const period = periodsOf(versions).findLast(({ from }) => from <= asOf);
  return { ...evidence, lifecycleStatus: period?.status ?? evidence.lifecycleStatus };
}

/**
 * The spans of days on which a record was, is and will be active, in order.
 * @param versions The known versions of one record, oldest first.
 */
export function activeDays(versions: readonly LifecycleVersion[]): Span[] {
  const periods = periodsOf(versions);
  return periods.flatMap(({ from, status }, index) => {
    const next = periods[index + 1];
    return status === 'active' ? [{ from, until: next ? dayAfter(next.from, -1) : lastDay }] : [];
  });
}

/**
 * Whether a record was revoked on or before a day. If it was archived since, it cannot be restored.
 */
export const wasRevoked = (versions: readonly LifecycleVersion[], asOf: string): boolean =>
  versions.some(
    ({ lifecycleStatus, effectiveOn }) => lifecycleStatus === 'revoked' && effectiveOn <= asOf,
  );
