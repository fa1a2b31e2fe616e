/** The evaluator against a brute-force oracle, and laws that tie its parts together. */
import fc from 'fast-check';
import {
  lifecycleStatuses,
  sources,
  verificationStatuses,
} from '../../../src/entities/certification.js';
import {
  coverageOf,
  lossAfter,
  qualifiedSpans,
  sinceWhen,
} from '../../../src/rules/evaluation/coverage.js';
import {
  countsOn,
  type Evidence,
  type KnownRecord,
  spanAt,
} from '../../../src/rules/evaluation/evidence.js';
import { expirationsOf } from '../../../src/rules/evaluation/expirations.js';
import {
  type Action,
  actionsFor,
  explain,
  missReasons,
} from '../../../src/rules/evaluation/explanation.js';
import { forecaster } from '../../../src/rules/evaluation/forecast.js';
import {
  evaluate,
  type Requirement,
  requiredTypes,
  typesHeld,
} from '../../../src/rules/evaluation/result.js';
import { validityOn, verificationAfter } from '../../../src/rules/validity.js';
import { dayAfter } from '../../../src/scalars/day.js';
import { ensure } from '../../support/expect.js';
import { days, records, requirements, start, types } from './arbitraries.js';

/**
 * decisions.md, section 5, word by word: «lifecycle active, validity valid or expiring,
 * verification not failed, issued_on not in the future; self-reported only once verified».
 */
function oracleCounts(
  day: string,
  { lifecycleStatus, verificationStatus, source, issuedOn, expiresOn }: Evidence,
): boolean {
  if (lifecycleStatus !== 'active') return false;
  if (!['valid', 'expiring'].includes(validityOn(day, 30, { issuedOn, expiresOn }))) return false;
  if (verificationStatus === 'failed') return false;
  if (issuedOn !== null && issuedOn > day) return false;
  return source !== 'self-reported' || verificationStatus === 'verified';
}

const oracle = (day: string, of: readonly Requirement[], held: readonly KnownRecord[]) => {
  const required = of.filter(({ isRequired }) => isRequired);
  const missing = required.filter(
    ({ certificationTypeId: type }) =>
      !held.some((each) => each.certificationTypeId === type && oracleCounts(day, each)),
  );
  return {
    status: required.length > 0 && missing.length === 0 ? 'qualified' : 'not_qualified',
    metRequirementCount: required.length - missing.length,
    totalRequirementCount: required.length,
    missingCertificationTypeIds: missing.map(({ certificationTypeId }) => certificationTypeId),
  };
};

const evaluateOn = (day: string, of: readonly Requirement[], held: readonly KnownRecord[]) =>
  evaluate(requiredTypes(of), typesHeld(day, held));
const isQualified = (day: string, of: readonly Requirement[], held: readonly KnownRecord[]) =>
  oracle(day, of, held).status === 'qualified';

const member = fc.record({ of: requirements, held: records });
const onADay = fc.record({ of: requirements, held: records, day: fc.constantFrom(...days) });
const check = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, numRuns = 3000) =>
  fc.assert(fc.property(arbitrary, law), { numRuns });

describe('results', () => {
  test('of one record in every state, with every kind of dates, on every day', () => {
    const around = [null, dayAfter(start, 3), dayAfter(start, 6)];
    let combinations = 0;
    for (const lifecycleStatus of lifecycleStatuses)
      for (const verificationStatus of verificationStatuses)
        for (const source of sources)
          for (const issuedOn of around)
            for (const expiresOn of around)
              for (const day of days) {
                const record = { lifecycleStatus, verificationStatus, source, issuedOn, expiresOn };
                expect([`${day} ${JSON.stringify(record)}`, countsOn(day, record)]).toStrictEqual([
                  expect.any(String),
                  oracleCounts(day, record),
                ]);
                combinations++;
              }
    expect(combinations).toBe(3 * 4 * 4 * 9 * days.length);
  });

  test('equal the oracle on every day', () => {
    const seen = { qualified: 0, not_qualified: 0 };
    check(
      member,
      ({ of, held }) => {
        for (const day of days) {
          const result = evaluateOn(day, of, held);
          expect(result).toStrictEqual(oracle(day, of, held));
          seen[result.status]++;
        }
      },
      1000,
    );
    ensure(seen.qualified > 1000 && seen.not_qualified > 1000, JSON.stringify(seen));
  });

  test('flip when all records that meet one requirement go', () => {
    let flips = 0;
    check(onADay, ({ of, held, day }) => {
      if (!isQualified(day, of, held)) return;
      for (const { certificationTypeId: type, isRequired } of of) {
        const rest = held.filter(
          (each) => each.certificationTypeId !== type || !countsOn(day, each),
        );
        expect(evaluateOn(day, of, rest).status).toBe(isRequired ? 'not_qualified' : 'qualified');
        flips++;
      }
    });
    expect(flips).toBeGreaterThan(200);
  });

  test('are lost on the first day without them', () => {
    check(
      fc.record({
        sets: fc.array(requirements, { maxLength: 4 }),
        held: records,
        day: fc.constantFrom(...days),
      }),
      ({ sets, held, day }) => {
        const lossOf = expirationsOf(day, held);
        for (const of of sets) {
          const lost = days.find((each) => each > day && !isQualified(each, of, held));
          expect(lossOf(requiredTypes(of))).toBe(
            isQualified(day, of, held) ? (lost ?? null) : null,
          );
        }
      },
    );
  });
});

describe('days', () => {
  test('of qualification are exactly those in the spans, which are apart and in order', () => {
    check(
      member,
      ({ of, held }) => {
        const spans = qualifiedSpans(requiredTypes(of), coverageOf(held));
        for (const day of days)
          expect([day, spanAt(day, spans) !== undefined]).toStrictEqual([
            day,
            isQualified(day, of, held),
          ]);
        for (const [index, { from, until }] of spans.entries()) {
          expect(from <= until).toBe(true);
          expect(index === 0 || from > dayAfter(spans[index - 1]?.until ?? '', 1)).toBe(true);
        }
      },
      1000,
    );
  });

  test('since when: the status differs the day before, and is the same on each day since', () => {
    check(onADay, ({ of, held, day }) => {
      const since = sinceWhen(day, qualifiedSpans(requiredTypes(of), coverageOf(held)));
      const now = isQualified(day, of, held);
      const other = days.findLast((each) => each <= day && isQualified(each, of, held) !== now);
      expect(since).toBe(other === undefined ? null : dayAfter(other, 1));
    });
  });
});

describe('the forecast', () => {
  test('has exactly the days on which day-by-day evaluation turns, with the records that end', () => {
    let losses = 0;
    check(
      fc.record({
        of: requirements,
        held: records,
        day: fc.constantFrom(...days.slice(0, 12)),
        ahead: fc.integer({ min: 1, max: 11 }),
      }),
      (given) => {
        const { of, held, day, ahead } = given;
        // Who doesn't have the qualification on the day can't lose it.
        const coming = isQualified(day, of, held)
          ? Array.from({ length: ahead }, (_, index) => dayAfter(day, index + 1))
          : [];
        const expected = coming.filter(
          (each) => isQualified(dayAfter(each, -1), of, held) && !isQualified(each, of, held),
        );
        const forecast = forecaster(day, ahead, held)(requiredTypes(of));
        expect(forecast.map(({ lostOn }) => lostOn)).toStrictEqual(expected);
        for (const { lostOn, regainedOn, through } of forecast) {
          const before = dayAfter(lostOn, -1);
          const back = days.find((each) => each > lostOn && isQualified(each, of, held));
          expect(regainedOn).toBe(back ?? null);
          const lapsed = of.filter(
            ({ certificationTypeId: type, isRequired }) =>
              isRequired && !typesHeld(lostOn, held).has(type),
          );
          expect(new Set(through)).toStrictEqual(
            new Set(
              held.filter(
                (each) =>
                  lapsed.some(
                    ({ certificationTypeId }) => certificationTypeId === each.certificationTypeId,
                  ) && oracleCounts(before, each),
              ),
            ),
          );
          expect(through.length).toBeGreaterThan(0);
          // Had they lasted, nothing would be lost.
          const lasting = held.map((each) =>
            through.includes(each) ? { ...each, expiresOn: lostOn } : each,
          );
          expect(isQualified(lostOn, of, lasting)).toBe(true);
          losses++;
        }
      },
      8000,
    );
    ensure(losses > 100, String(losses));
  });
});

/** Does what an action says. */
function perform(
  day: string,
  held: readonly KnownRecord[],
  { kind, certificationTypeId, certificationId }: Action,
): KnownRecord[] {
  const fresh = {
    certificationTypeId,
    certificationId: 'new',
    lifecycleStatus: 'active',
    source: 'manual',
    verificationStatus: 'unverified',
    issuedOn: day,
    expiresOn: null,
  } as const;
  if (kind === 'obtain' || kind === 'renew') return [...held, fresh];
  const edits = {
    restore: { lifecycleStatus: 'active' as const },
    enter_dates: {
      issuedOn: day,
      expiresOn: day,
      ...(verificationAfter({ issuedOn: day }) as { verificationStatus: 'unverified' }),
    },
    verify: { verificationStatus: 'verified' as const },
  };
  expect(
    held.some(
      (each) =>
        each.certificationId === certificationId &&
        each.certificationTypeId === certificationTypeId,
    ),
  ).toBe(true);
  return held.map((each) =>
    each.certificationId === certificationId ? { ...each, ...edits[kind] } : each,
  );
}

describe('explanations', () => {
  test('say of each requirement what the oracle says, by a record of its type', () => {
    const seen = new Set<string>();
    check(onADay, ({ of, held, day }) => {
      const explained = explain(day, of, held);
      expect(
        explained.map(({ certificationTypeId, isRequired }) => ({
          certificationTypeId,
          isRequired,
        })),
      ).toStrictEqual(of);
      for (const {
        certificationTypeId: type,
        isMet,
        certificationId,
        reason,
        metUntil,
      } of explained) {
        const ofType = held.filter((each) => each.certificationTypeId === type);
        const record = ofType.find((each) => each.certificationId === certificationId);
        expect(isMet).toBe(ofType.some((each) => oracleCounts(day, each)));
        expect(record === undefined).toBe(ofType.length === 0);
        expect(reason === 'none_held').toBe(ofType.length === 0);
        if (!record) continue;
        expect(isMet).toBe(oracleCounts(day, record));
        expect(reason === null).toBe(isMet);
        const end = isMet
          ? days.find((each) => each > day && !ofType.some((one) => oracleCounts(each, one)))
          : undefined;
        expect(metUntil).toBe(end === undefined ? null : dayAfter(end, -1));
        seen.add(reason ?? 'met');
      }
    });
    expect(seen).toStrictEqual(
      new Set(['met', ...missReasons.filter((reason) => reason !== 'none_held')]),
    );
  });

  test('doing the actions makes the member qualified, and leaving one out does not', () => {
    let done = 0;
    check(onADay, ({ of, held, day }) => {
      const actions = actionsFor(explain(day, of, held));
      if (isQualified(day, of, held) || !of.some(({ isRequired }) => isRequired))
        return expect(actions).toEqual([]);
      const heldAfter = (some: readonly Action[]) =>
        some.reduce((so, action) => perform(day, so, action), [...held]);
      expect(isQualified(day, of, heldAfter(actions))).toBe(true);
      for (const left of actions)
        expect(isQualified(day, of, heldAfter(actions.filter((action) => action !== left)))).toBe(
          false,
        );
      done++;
    });
    expect(done).toBeGreaterThan(500);
  });

  test('no other set of actions has fewer new certificates, or as few of them and fewer actions', () => {
    const cost = (actions: readonly Action[]) =>
      actions.reduce((sum, { kind }) => sum + (kind === 'obtain' || kind === 'renew' ? 100 : 1), 0);
    check(
      fc.record({
        held: fc.array(
          records.map(([first]) => first),
          { maxLength: 3 },
        ),
        day: fc.constantFrom(...days),
      }),
      ({ held: maybe, day }) => {
        const held = maybe
          .filter((each) => each !== undefined)
          .map((each, index) => ({
            ...each,
            certificationTypeId: 'rf',
            certificationId: `${index}`,
          }));
        const of = [{ certificationTypeId: 'rf', isRequired: true }];
        const possible: Action[] = held.flatMap(
          ({ certificationId, lifecycleStatus, issuedOn, expiresOn }): Action[] => {
            const action = (kind: Action['kind']): Action => ({
              kind,
              certificationTypeId: 'rf',
              certificationId,
            });
            // A revoked record never comes back, and dates that are there stay.
            return [
              ...(lifecycleStatus === 'archived' ? [action('restore')] : []),
              ...(issuedOn === null && expiresOn === null ? [action('enter_dates')] : []),
              action('verify'),
            ];
          },
        );
        possible.push({ kind: 'obtain', certificationTypeId: 'rf', certificationId: null });
        let least = Number.POSITIVE_INFINITY;
        for (let chosen = 0; chosen < 1 << possible.length; chosen++) {
          const some = possible.filter((_, index) => chosen & (1 << index));
          if (
            cost(some) < least &&
            isQualified(
              day,
              of,
              some.reduce((so, each) => perform(day, so, each), [...held]),
            )
          )
            least = cost(some);
        }
        expect(cost(actionsFor(explain(day, of, held)))).toBe(least);
      },
      600,
    );
  });

  test('point at the nearest of several misses, whatever their order', () => {
    const sound = {
      certificationTypeId: 'rf',
      lifecycleStatus: 'active',
      source: 'manual',
      verificationStatus: 'verified',
      issuedOn: '2026-01-01',
      expiresOn: '2026-12-31',
    } as const;
    const nearestFirst: KnownRecord[] = [
      {
        ...sound,
        certificationId: 'not_verified',
        source: 'self-reported',
        verificationStatus: 'pending',
      },
      { ...sound, certificationId: 'verification_failed', verificationStatus: 'failed' },
      { ...sound, certificationId: 'dates_unknown', issuedOn: null, expiresOn: null },
      { ...sound, certificationId: 'archived', lifecycleStatus: 'archived' },
      { ...sound, certificationId: 'issued_in_future', issuedOn: '2026-07-01' },
      { ...sound, certificationId: 'expired', expiresOn: '2026-05-30' },
      { ...sound, certificationId: 'revoked', lifecycleStatus: 'revoked' },
    ];
    for (let from = 0; from < nearestFirst.length; from++) {
      for (const order of [nearestFirst.slice(from), nearestFirst.slice(from).reverse()]) {
        const [explained] = explain(
          '2026-06-01',
          [{ certificationTypeId: 'rf', isRequired: true }],
          order,
        );
        expect(explained?.certificationId).toBe(nearestFirst[from]?.certificationId);
        expect(explained?.reason).toBe(nearestFirst[from]?.certificationId);
      }
    }
    // One action is nearer than two, whatever the reasons: what the holder reported must be
    // verified once it has dates.
    const undated: KnownRecord = {
      ...sound,
      certificationId: 'undated',
      source: 'self-reported',
      issuedOn: null,
      expiresOn: null,
    };
    const [fewer] = explain(
      '2026-06-01',
      [{ certificationTypeId: 'rf', isRequired: true }],
      [undated, ...nearestFirst.slice(3)],
    );
    expect(fewer?.certificationId).toBe('archived');
    const [future] = explain(
      '2026-06-01',
      [{ certificationTypeId: 'rf', isRequired: true }],
      nearestFirst.slice(4),
    );
    expect(future?.reasonDay).toBe('2026-07-01');
    const [expired] = explain(
      '2026-06-01',
      [{ certificationTypeId: 'rf', isRequired: true }],
      nearestFirst.slice(5),
    );
    expect(expired?.reasonDay).toBe('2026-05-30');
  });
});

test('what never ends is never lost', () => {
  const open = {
    certificationTypeId: types[0] ?? '',
    certificationId: 'a',
    lifecycleStatus: 'active',
    source: 'api',
    verificationStatus: 'unverified',
    issuedOn: null,
    expiresOn: '9999-12-31',
  } as const;
  const of = [{ certificationTypeId: open.certificationTypeId, isRequired: true }];
  const spans = qualifiedSpans(requiredTypes(of), coverageOf([open]));
  expect(lossAfter(spanAt(start, spans))).toBeNull();
  expect(sinceWhen(start, spans)).toBeNull();
  expect(forecaster('9999-12-01', 366, [open])(requiredTypes(of))).toEqual([]);
});
