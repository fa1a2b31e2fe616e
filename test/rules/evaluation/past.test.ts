/**
 * What was true on a day, and what was known then, against an oracle that knows no versions and no
 * spans: it goes through the list of what happened, as it was entered, and asks of each single day.
 */
import fc from 'fast-check';
import { coverageOf, qualifiedSpans, sinceWhen } from '../../../src/rules/evaluation/coverage.js';
import type { KnownRecord } from '../../../src/rules/evaluation/evidence.js';
import { expirationsOf } from '../../../src/rules/evaluation/expirations.js';
import { explain } from '../../../src/rules/evaluation/explanation.js';
import { forecaster } from '../../../src/rules/evaluation/forecast.js';
import { evaluate, requiredTypes, typesHeld } from '../../../src/rules/evaluation/result.js';
import { activeDays, replay } from '../../../src/rules/history.js';
import { dayAfter } from '../../../src/scalars/day.js';
import { ensure } from '../../support/expect.js';
import { days, requirements } from './arbitraries.js';
import { type Entry, holders, oracleOf, records, versionsOf } from './events.js';

/** What the application takes: replayed records of one holder, as known at an instant. */
function knownRecords(
  all: readonly (readonly Entry[])[],
  holder: string,
  day: string,
  knownAt: string,
): KnownRecord[] {
  return all.flatMap((entries, index) => {
    const versions = versionsOf(`record-${index}`, entries).filter(
      ({ recordedAt }) => recordedAt <= knownAt,
    );
    const evidence = replay(versions, day);
    return evidence?.organizationMemberId === holder
      ? [{ ...evidence, activeDays: activeDays(versions) }]
      : [];
  });
}

const asked = fc.record({
  of: requirements,
  all: records,
  holder: fc.constantFrom(...holders),
  day: fc.constantFrom(...days),
  /** The last day of which everything that was entered is known. */
  known: fc.constantFrom(...days),
  ahead: fc.integer({ min: 1, max: 11 }),
});

describe('On any day, by what was known on any other', () => {
  const seen = { qualified: 0, late: 0, ended: 0, lost: 0 };
  test('results, explanations, readiness and forecast are what the list of entries says', () => {
    fc.assert(
      fc.property(asked, ({ of, all, holder, day, known, ahead }) => {
        const oracle = oracleOf(all, holder, known);
        const required = requiredTypes(of);
        const isQualified = (each: string) =>
          required.length > 0 && required.every((type) => oracle.holds(type, each));
        const held = knownRecords(all, holder, day, `${known}T23:59:59Z`);

        const result = evaluate(required, typesHeld(day, held));
        expect(result.status === 'qualified').toBe(isQualified(day));
        expect(result.missingCertificationTypeIds).toStrictEqual(
          required.filter((type) => !oracle.holds(type, day)),
        );
        for (const { certificationTypeId: type, isMet, metUntil } of explain(day, of, held)) {
          expect(isMet).toBe(oracle.holds(type, day));
          const end = isMet
            ? days.find((each) => each > day && !oracle.holds(type, each))
            : undefined;
          expect(metUntil).toBe(end === undefined ? null : dayAfter(end, -1));
        }

        const turned = days.findLast(
          (each) => each <= day && isQualified(each) !== isQualified(day),
        );
        expect(sinceWhen(day, qualifiedSpans(required, coverageOf(held)))).toBe(
          turned === undefined ? null : dayAfter(turned, 1),
        );

        const lost = isQualified(day)
          ? days.find((each) => each > day && !isQualified(each))
          : undefined;
        expect(expirationsOf(day, held)(required)).toBe(lost ?? null);
        const coming = isQualified(day)
          ? days.filter((each) => each > day && each <= dayAfter(day, ahead))
          : [];
        const losses = coming.filter(
          (each) => isQualified(dayAfter(each, -1)) && !isQualified(each),
        );
        const forecast = forecaster(day, ahead, held)(required);
        expect(forecast.map(({ lostOn }) => lostOn)).toStrictEqual(losses);
        for (const { lostOn, regainedOn, through } of forecast) {
          expect(regainedOn).toBe(days.find((each) => each > lostOn && isQualified(each)) ?? null);
          expect(through.length).toBeGreaterThan(0);
        }
        if (isQualified(day)) seen.qualified++;
        if (
          isQualified(day) &&
          !required.every((type) => oracleOf(all, holder, day).holds(type, day))
        )
          seen.late++;
        if (lost && held.some(({ activeDays: [span] = [] }) => span && span.until < '9999'))
          seen.ended++;
        seen.lost += losses.length;
      }),
      { numRuns: 20_000 },
    );
    for (const [what, times] of Object.entries(seen))
      ensure(times > 20, `${what} ${JSON.stringify(seen)}`);
  });
});
