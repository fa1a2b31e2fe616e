/** Filling crews, against every way to do it. */
import fc from 'fast-check';
import { fillCrew, type Need } from '../../../src/rules/evaluation/crew.js';
import { ensure } from '../../support/expect.js';

const people = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'];
const crews = fc.array(
  fc.record({ count: fc.integer({ min: 1, max: 3 }), eligible: fc.subarray(people) }),
  { minLength: 1, maxLength: 4 },
);

/** The most seats that can be filled: everyone tries every need, and none. */
function maxSeats(needs: readonly Need[]): number {
  const left = needs.map(({ count }) => count);
  const go = (person: number): number => {
    const name = people[person];
    if (name === undefined) return 0;
    let most = go(person + 1);
    for (const [need, { eligible }] of needs.entries()) {
      if ((left[need] ?? 0) === 0 || !eligible.includes(name)) continue;
      left[need] = (left[need] ?? 0) - 1;
      most = Math.max(most, 1 + go(person + 1));
      left[need] = (left[need] ?? 0) + 1;
    }
    return most;
  };
  return go(0);
}

const deficit = (needs: readonly Need[], chosen: readonly number[]): number =>
  chosen.reduce((sum, need) => sum + (needs[need]?.count ?? 0), 0) -
  new Set(chosen.flatMap((need) => needs[need]?.eligible ?? [])).size;

test('a crew has as many distinct people as can be had, each eligible and none in excess', () => {
  const seen = { filled: 0, short: 0 };
  fc.assert(
    fc.property(crews, (needs) => {
      const { assigned, shortage } = fillCrew(needs);
      const all = assigned.flat();
      expect(new Set(all).size).toBe(all.length);
      for (const [need, { count, eligible }] of needs.entries()) {
        expect(assigned[need]?.length ?? 0).toBeLessThanOrEqual(count);
        expect(assigned[need]?.every((person) => eligible.includes(person))).toBeTruthy();
      }
      expect(all).toHaveLength(maxSeats(needs));
      const wanted = needs.reduce((sum, { count }) => sum + count, 0);
      expect(shortage === undefined).toBe(all.length === wanted);
      seen[shortage ? 'short' : 'filled']++;
    }),
    { numRuns: 3000 },
  );
  ensure(seen.filled > 300 && seen.short > 300, JSON.stringify(seen));
});

test('a shortage is the smallest set of needs that asks for more than there are', () => {
  fc.assert(
    fc.property(crews, (needs) => {
      const { shortage } = fillCrew(needs);
      const sets = Array.from({ length: 2 ** needs.length - 1 }, (_, index) =>
        [...needs.keys()].filter((need) => (index + 1) & (1 << need)),
      );
      const short = sets.filter((set) => deficit(needs, set) > 0);
      if (!shortage) return expect(short).toEqual([]);
      expect(shortage.needs).toHaveLength(Math.min(...short.map(({ length }) => length)));
      expect(shortage.wanted - shortage.available).toBe(deficit(needs, shortage.needs));
      expect(shortage.wanted).toBeGreaterThan(shortage.available);
    }),
    { numRuns: 2000 },
  );
});

test('where taking the first at hand would fail, people move over', () => {
  const { assigned, shortage } = fillCrew([
    { count: 1, eligible: ['Ana', 'Ben'] },
    { count: 1, eligible: ['Ana', 'Cleo'] },
    { count: 1, eligible: ['Ana'] },
  ]);
  expect(assigned).toEqual([['Ben'], ['Cleo'], ['Ana']]);
  expect(shortage).toBeUndefined();
});
