/** Explains why a requirement is met or not, and which actions would meet it. */
import { lastDay } from '../../scalars/day.js';
import { coverageOf } from './coverage.js';
import { type Evidence, isTrusted, type KnownRecord, spanAt, spansOf, termOf } from './evidence.js';
import type { Requirement } from './result.js';

/**
 * Why a record does not count, from the nearest miss to the farthest. If several apply, the
 * farthest is reported.
 */
export const missReasons = [
  'not_verified',
  'verification_failed',
  'dates_unknown',
  'archived',
  'issued_in_future',
  'expired',
  'revoked',
  'none_held',
] as const;
export type MissReason = (typeof missReasons)[number];

export const actionKinds = ['restore', 'enter_dates', 'verify', 'renew', 'obtain'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** One action. */
export interface Action {
  readonly kind: ActionKind;
  readonly certificationTypeId: string;
  /** The record to act on; null when there is none. */
  readonly certificationId: string | null;
}

/** The result for a requirement on a day: met by a record, or missed. */
export interface Explanation extends Requirement {
  readonly isMet: boolean;
  /** The record that meets it longest, or the nearest miss; null when none is held. */
  readonly certificationId: string | null;
  /** Null when it is met. */
  readonly reason: MissReason | null;
  /** The last day of an expired record, or the day of issue of a future one; otherwise null. */
  readonly reasonDay: string | null;
  /** The last day on which it is met without a gap; null when it is not met or has no known end. */
  readonly metUntil: string | null;
  /** The fewest actions that meet it, in order, preferring those without a new certificate. */
  readonly actions: readonly Action[];
}

const applies: Readonly<
  Record<Exclude<MissReason, 'none_held'>, (day: string, record: Evidence) => boolean>
> = {
  not_verified: (_, record) => !isTrusted(record) && record.verificationStatus !== 'failed',
  verification_failed: (_, record) => !isTrusted(record) && record.verificationStatus === 'failed',
  dates_unknown: (_, record) => termOf(record) === undefined,
  archived: (_, { lifecycleStatus }) => lifecycleStatus === 'archived',
  issued_in_future: (day, { issuedOn }) => issuedOn !== null && issuedOn > day,
  expired: (day, { expiresOn }) => expiresOn !== null && expiresOn < day,
  revoked: (_, { lifecycleStatus }) => lifecycleStatus === 'revoked',
};
const reasonsOfRecords = Object.keys(applies) as (keyof typeof applies)[];

/** Reasons that only a new certificate removes: these records cannot count on the day. */
const newCertificate: Partial<Record<MissReason, ActionKind>> = {
  issued_in_future: 'obtain',
  expired: 'renew',
  revoked: 'obtain',
  none_held: 'obtain',
};

/**
 * The actions that make an archived, undated or unverified record count. Entering dates requires a
 * new verification (see `verificationAfter`).
 */
function repairs(record: Evidence): ActionKind[] {
  const isUndated = termOf(record) === undefined;
  const verificationStatus = isUndated ? 'unverified' : record.verificationStatus;
  return [
    ...(record.lifecycleStatus === 'archived' ? (['restore'] as const) : []),
    ...(isUndated ? (['enter_dates'] as const) : []),
    ...(isTrusted({ ...record, verificationStatus }) ? [] : (['verify'] as const)),
  ];
}

interface Miss {
  readonly record: KnownRecord | undefined;
  readonly reason: MissReason;
  readonly kinds: readonly ActionKind[];
}

function missOf(day: string, record: KnownRecord): Miss {
  const reason = reasonsOfRecords.findLast((each) => applies[each](day, record)) ?? 'none_held';
  const fresh = newCertificate[reason];
  return { record, reason, kinds: fresh ? [fresh] : repairs(record) };
}

const lastDayOf = (record: KnownRecord | undefined): string => record?.expiresOn ?? lastDay;
const later = (a: string, b: string): number => (a === b ? 0 : a > b ? -1 : 1);
const laterId = (a: KnownRecord | undefined, b: KnownRecord | undefined): number =>
  later(a?.certificationId ?? '', b?.certificationId ?? '');

/** Sorts by last day descending, then by id descending: the id of a later record is greater. */
const byLastDay = (a: KnownRecord | undefined, b: KnownRecord | undefined): number =>
  later(lastDayOf(a), lastDayOf(b)) || laterId(a, b);

/** Of the records that count on the day, the one that counts longest. */
function lastingRecord(day: string, records: readonly KnownRecord[]): KnownRecord | undefined {
  const counting = records.flatMap((record) => {
    const until = spanAt(day, spansOf(record))?.until;
    return until === undefined ? [] : [{ record, until }];
  });
  return counting.sort((a, b) => later(a.until, b.until) || laterId(a.record, b.record))[0]?.record;
}

/**
 * Sorts by nearness: records that need no new certificate first, then fewer actions, then the order
 * of reasons, then the last day.
 */
const byNearness = (a: Miss, b: Miss): number =>
  Number(a.reason in newCertificate) - Number(b.reason in newCertificate) ||
  a.kinds.length - b.kinds.length ||
  missReasons.indexOf(a.reason) - missReasons.indexOf(b.reason) ||
  byLastDay(a.record, b.record);

const noneHeld: Miss = { record: undefined, reason: 'none_held', kinds: ['obtain'] };

function explainOne(
  day: string,
  requirement: Requirement,
  records: readonly KnownRecord[],
): Explanation {
  const { certificationTypeId, isRequired } = requirement;
  const of = records.filter((record) => record.certificationTypeId === certificationTypeId);
  const best = lastingRecord(day, of);
  if (best) {
    const until = spanAt(day, coverageOf(of).get(certificationTypeId) ?? [])?.until ?? null;
    const { certificationId } = best;
    const metUntil = until === lastDay ? null : until;
    return {
      certificationTypeId,
      isRequired,
      isMet: true,
      certificationId,
      reason: null,
      reasonDay: null,
      metUntil,
      actions: [],
    };
  }
  const { record, reason, kinds } =
    of.map((each) => missOf(day, each)).sort(byNearness)[0] ?? noneHeld;
  const certificationId = record?.certificationId ?? null;
  const reasonDay =
    reason === 'expired'
      ? record?.expiresOn
      : reason === 'issued_in_future'
        ? record?.issuedOn
        : null;
  const actions = kinds.map((kind) => ({ kind, certificationTypeId, certificationId }));
  return {
    certificationTypeId,
    isRequired,
    isMet: false,
    certificationId,
    reason,
    reasonDay: reasonDay ?? null,
    metUntil: null,
    actions,
  };
}

/** Explains each requirement on a day (`YYYY-MM-DD`, UTC), in order. */
export const explain = (
  day: string,
  requirements: readonly Requirement[],
  records: readonly KnownRecord[],
): Explanation[] => requirements.map((requirement) => explainOne(day, requirement, records));

/**
 * The smallest set of actions that makes the member qualified; empty when already qualified or
 * nothing is required.
 */
export const actionsFor = (explanations: readonly Explanation[]): Action[] =>
  explanations
    .filter(({ isRequired, isMet }) => isRequired && !isMet)
    .flatMap(({ actions }) => actions);
