/** Filling a crew: distinct people for needs, each of which some are eligible for. */

/** So many that all combinations can be looked at for the smallest shortage: 4,096. */
export const mostNeeds = 12;

export interface Need {
  readonly count: number;
  /** Whoever may be taken, the first rather than the last. */
  readonly eligible: readonly string[];
}

/** The fewest needs that together ask for more people than are eligible for any of them. */
export interface Shortage {
  /** The places of the needs in the list. */
  readonly needs: readonly number[];
  readonly wanted: number;
  readonly available: number;
}

export interface Crew {
  /** For each need whom it gets: as many as can be had at all, and everyone for one need only. */
  readonly assigned: readonly (readonly string[])[];
  /** Undefined when all needs are filled. */
  readonly shortage: Shortage | undefined;
}

/** A maximum matching: by augmenting paths, on which people move from need to need until a seat comes free for one more. */
export function fillCrew(needs: readonly Need[]): Crew {
  const needOf = new Map<string, number>();
  const take = (need: number, tried: Set<number>): boolean => {
    tried.add(need);
    const { eligible } = needs[need] as Need;
    const person =
      eligible.find((each) => !needOf.has(each)) ??
      eligible.find((each) => {
        const other = needOf.get(each) as number;
        return !tried.has(other) && take(other, tried);
      });
    if (person !== undefined) needOf.set(person, need);
    return person !== undefined;
  };
  for (const [need, { count }] of needs.entries()) {
    for (let seat = 0; seat < count && take(need, new Set()); seat++);
  }
  const assigned = needs.map(({ eligible }, need) => eligible.filter((person) => needOf.get(person) === need));
  const isFilled = needs.every(({ count }, need) => assigned[need]?.length === count);
  return { assigned, shortage: isFilled ? undefined : shortageOf(needs) };
}

/** By Hall's theorem there is one whenever a crew can't be filled. */
function shortageOf(needs: readonly Need[]): Shortage | undefined {
  const options = new Map<string, number>();
  for (const [need, { eligible }] of needs.entries()) {
    for (const person of eligible) options.set(person, (options.get(person) ?? 0) | (1 << need));
  }
  const peopleWith = Map.groupBy(options.values(), (needsOpen) => needsOpen);
  let smallest: Shortage | undefined;
  for (let chosen = 1; chosen < 1 << needs.length; chosen++) {
    const members = [...needs.keys()].filter((need) => chosen & (1 << need));
    if (smallest && members.length >= smallest.needs.length) continue;
    const wanted = members.reduce((sum, need) => sum + (needs[need]?.count ?? 0), 0);
    const available = [...peopleWith].reduce((sum, [open, people]) => sum + (open & chosen ? people.length : 0), 0);
    if (wanted > available) smallest = { needs: members, wanted, available };
  }
  return smallest;
}
