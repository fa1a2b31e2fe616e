/** Certification records as lists of what was entered, and an oracle that goes through them. */
import fc from 'fast-check';
import {
  type CertificationSource,
  sources,
  verificationStatuses,
} from '../../../src/entities/certification.js';
import type { Version } from '../../../src/rules/history.js';
import { dayAfter } from '../../../src/scalars/day.js';
import { days, start, types } from './arbitraries.js';

export const holders = ['ann', 'bea'];

/** What the record says: the entry of it, or a correction. */
interface Facts {
  readonly holder: string;
  readonly type: string;
  readonly source: CertificationSource;
  readonly issuedOn: string | null;
  readonly expiresOn: string | null;
}

/**
 * One thing that was entered about a record, on a day; what happened to the record did so on a day
 * of its own.
 */
export type Entry = { readonly enteredOn: string } & (
  | { readonly what: 'facts'; readonly facts: Facts }
  | { readonly what: 'check'; readonly found: Version['verificationStatus']; readonly on: string }
  | { readonly what: 'life'; readonly becomes: Version['lifecycleStatus']; readonly on: string }
);

const day = fc.integer({ min: 0, max: 15 }).map((number) => dayAfter(start, number));
const maybe = (of: fc.Arbitrary<string>) => fc.option(of, { nil: null, freq: 6 });
const inOrder = (facts: Facts): Facts => {
  const { issuedOn, expiresOn } = facts;
  return issuedOn && expiresOn && issuedOn > expiresOn
    ? { ...facts, issuedOn: expiresOn, expiresOn: issuedOn }
    : facts;
};
const facts: fc.Arbitrary<Facts> = fc
  .record({
    holder: fc.constantFrom('ann', 'ann', 'ann', 'bea'),
    type: fc.constantFrom(...types),
    source: fc.constantFrom(...sources),
    issuedOn: maybe(day),
    expiresOn: maybe(day),
  })
  .map(inOrder);

type Said =
  | Omit<Extract<Entry, { what: 'facts' }>, 'enteredOn'>
  | Omit<Extract<Entry, { what: 'check' }>, 'enteredOn'>
  | Omit<Extract<Entry, { what: 'life' }>, 'enteredOn'>;

const later: fc.Arbitrary<Said> = fc.oneof(
  { weight: 2, arbitrary: facts.map((each) => ({ what: 'facts' as const, facts: each })) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('check' as const),
      found: fc.constantFrom(...verificationStatuses),
      on: day,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('life' as const),
      becomes: fc.constantFrom(
        'active' as const,
        'active' as const,
        'revoked' as const,
        'archived' as const,
      ),
      on: day,
    }),
  },
);

/** Entered one after the other; many of them long after what they speak of. */
const record: fc.Arbitrary<Entry[]> = fc
  .record({
    first: facts,
    more: fc.array(later, { maxLength: 4 }),
    on: fc.array(fc.nat(days.length - 1), { minLength: 5, maxLength: 5 }),
  })
  .map(({ first, more, on }) => {
    const entered = [...on].sort((a, b) => a - b).map((index) => days[index] as string);
    const all: Said[] = [{ what: 'facts', facts: first }, ...more];
    return all.map((said, index) => ({ ...said, enteredOn: entered[index] as string }) as Entry);
  });

export const records: fc.Arbitrary<Entry[][]> = fc.array(record, { maxLength: 6 });

/**
 * As the application stores them: the whole record with each entry. A correction asks for a new
 * check.
 */
export function versionsOf(certificationId: string, entries: readonly Entry[]): Version[] {
  const versions: Version[] = [];
  for (const [index, entry] of entries.entries()) {
    const last = versions.at(-1);
    const said = entry.what === 'facts' ? entry.facts : undefined;
    versions.push({
      certificationId,
      organizationMemberId: said?.holder ?? last?.organizationMemberId ?? '',
      certificationTypeId: said?.type ?? last?.certificationTypeId ?? '',
      source: said?.source ?? last?.source ?? 'api',
      issuedOn: said ? said.issuedOn : (last?.issuedOn ?? null),
      expiresOn: said ? said.expiresOn : (last?.expiresOn ?? null),
      issuerName: null,
      lifecycleStatus: entry.what === 'life' ? entry.becomes : (last?.lifecycleStatus ?? 'active'),
      verificationStatus:
        entry.what === 'check'
          ? entry.found
          : said
            ? 'unverified'
            : (last?.verificationStatus ?? 'unverified'),
      verificationMethod: null,
      recordedAt: `${entry.enteredOn}T10:00:0${index}.000000Z`,
      effectiveOn: entry.what === 'facts' ? entry.enteredOn : entry.on,
    });
  }
  return versions;
}

/** What the entries up to a day say of a holder, in the words of the rules. */
export function oracleOf(all: readonly (readonly Entry[])[], holder: string, known: string) {
  const counts = (entries: readonly Entry[], type: string, on: string): boolean => {
    let is: Facts | undefined;
    let check: Version['verificationStatus'] = 'unverified';
    let life: Version['lifecycleStatus'] = 'active';
    let before: Version['lifecycleStatus'] = 'active';
    for (const entry of entries) {
      if (entry.enteredOn > known) break;
      if (entry.what === 'facts') [is, check] = [entry.facts, 'unverified'];
      if (entry.what === 'check') check = entry.found;
      if (entry.what === 'life') {
        // To say once more what was said last changes nothing.
        if (entry.becomes !== before && entry.on <= on) life = entry.becomes;
        before = entry.becomes;
      }
    }
    if (!is || is.holder !== holder || is.type !== type || life !== 'active') return false;
    if (is.source === 'self-reported' ? check !== 'verified' : check === 'failed') return false;
    if (is.issuedOn === null && is.expiresOn === null) return false;
    return (
      (is.issuedOn === null || is.issuedOn <= on) && (is.expiresOn === null || on <= is.expiresOn)
    );
  };
  return {
    holds: (type: string, on: string): boolean => all.some((entries) => counts(entries, type, on)),
  };
}
