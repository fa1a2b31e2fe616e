/** Why a requirement is met or not, and what would meet it. */
import { lastDay } from '../day.js';
import { coverageOf, spanAt } from './coverage.js';
import { countsOn, type Evidence, isTrusted, type KnownRecord, termOf } from './evidence.js';
import type { Requirement } from './result.js';

/** Why a record doesn't count, from what is nearest to counting to what is farthest. Of several reasons, the farthest is told. */
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

/** One thing to do. */
export interface Action {
  readonly kind: ActionKind;
  readonly certificationTypeId: string;
  /** The record to do it with; null where there is none. */
  readonly certificationId: string | null;
}

/** A requirement on a day: met through a record, or missed. */
export interface Explanation extends Requirement {
  readonly isMet: boolean;
  /** The record that meets it for the longest, or comes nearest; null when none is held. */
  readonly certificationId: string | null;
  /** Null when it is met. */
  readonly reason: MissReason | null;
  /** The last day of an expired record, the day of issue of one issued in the future; else null. */
  readonly reasonDay: string | null;
  /** The last day on which it is met without a break; null when it isn't met, or no end is known. */
  readonly metUntil: string | null;
  /** The fewest actions that meet it, in order, preferring those that need no new certificate. */
  readonly actions: readonly Action[];
}

const applies: Readonly<Record<Exclude<MissReason, 'none_held'>, (day: string, record: Evidence) => boolean>> = {
  not_verified: (_, record) => !isTrusted(record) && record.verificationStatus !== 'failed',
  verification_failed: (_, record) => !isTrusted(record) && record.verificationStatus === 'failed',
  dates_unknown: (_, record) => termOf(record) === undefined,
  archived: (_, { lifecycleStatus }) => lifecycleStatus === 'archived',
  issued_in_future: (day, { issuedOn }) => issuedOn !== null && issuedOn > day,
  expired: (day, { expiresOn }) => expiresOn !== null && expiresOn < day,
  revoked: (_, { lifecycleStatus }) => lifecycleStatus === 'revoked',
};
const reasonsOfRecords = Object.keys(applies) as (keyof typeof applies)[];

/** What only a new certificate mends: nothing makes these records count on the day. */
const newCertificate: Partial<Record<MissReason, ActionKind>> = {
  issued_in_future: 'obtain',
  expired: 'renew',
  revoked: 'obtain',
  none_held: 'obtain',
};

/** What makes a record count that is only archived, undated or unverified. Entering dates asks for a new verification (see `verificationAfter`). */
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

/** Later last day first, then the later id, which is the record made later. */
const byLastDay = (a: KnownRecord | undefined, b: KnownRecord | undefined): number =>
  later(lastDayOf(a), lastDayOf(b)) || later(a?.certificationId ?? '', b?.certificationId ?? '');

/** Nearest first: what needs no new certificate, then what takes fewer actions, then by the order of the reasons, then by the last day. */
const byNearness = (a: Miss, b: Miss): number =>
  Number(a.reason in newCertificate) - Number(b.reason in newCertificate) ||
  a.kinds.length - b.kinds.length ||
  missReasons.indexOf(a.reason) - missReasons.indexOf(b.reason) ||
  byLastDay(a.record, b.record);

const noneHeld: Miss = { record: undefined, reason: 'none_held', kinds: ['obtain'] };

function explainOne(day: string, requirement: Requirement, records: readonly KnownRecord[]): Explanation {
  const { certificationTypeId, isRequired } = requirement;
  const of = records.filter((record) => record.certificationTypeId === certificationTypeId);
  const [best] = of.filter((record) => countsOn(day, record)).sort(byLastDay);
  if (best) {
    const until = spanAt(day, coverageOf(of).get(certificationTypeId) ?? [])?.until ?? null;
    const { certificationId } = best;
    const metUntil = until === lastDay ? null : until;
    return { certificationTypeId, isRequired, isMet: true, certificationId, reason: null, reasonDay: null, metUntil, actions: [] };
  }
  const { record, reason, kinds } = of.map((each) => missOf(day, each)).sort(byNearness)[0] ?? noneHeld;
  const certificationId = record?.certificationId ?? null;
  const reasonDay = reason === 'expired' ? record?.expiresOn : reason === 'issued_in_future' ? record?.issuedOn : null;
  const actions = kinds.map((kind) => ({ kind, certificationTypeId, certificationId }));
  return { certificationTypeId, isRequired, isMet: false, certificationId, reason, reasonDay: reasonDay ?? null, metUntil: null, actions };
}

/** Explains each requirement on a day (`YYYY-MM-DD`, UTC), in order. */
export const explain = (day: string, requirements: readonly Requirement[], records: readonly KnownRecord[]): Explanation[] =>
  requirements.map((requirement) => explainOne(day, requirement, records));

/** The smallest set of actions after which the member would be qualified; none when that is so already, or nothing is required. */
export const actionsFor = (explanations: readonly Explanation[]): Action[] =>
  explanations.filter(({ isRequired, isMet }) => isRequired && !isMet).flatMap(({ actions }) => actions);
