/** Crew planning: assigns distinct people to needs. */

/** Maximum number of needs. The search for the smallest shortage tries all 4,096 combinations. */
export const maxNeeds = 12;

export interface Need {
  readonly count: number;
  /** The eligible people, preferred in this order. */
  readonly eligible: readonly string[];
}

/**
 * The smallest set of needs that together require more people than are eligible for any of them.
 */
export interface Shortage {
  /** The indexes of the needs. */
  readonly needs: readonly number[];
  readonly wanted: number;
  readonly available: number;
}

export interface Crew {
  /**
   * The people assigned to each need. The total is maximal, and each person has at most one need.
   */
  readonly assigned: readonly (readonly string[])[];
  /** Undefined when all needs are filled. */
  readonly shortage: Shortage | undefined;
}

/** Finds a maximum matching by augmenting paths: people move between needs until a seat is free. */
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
  const assigned = needs.map(({ eligible }, need) =>
    eligible.filter((person) => needOf.get(person) === need),
  );
  const isFilled = needs.every(({ count }, need) => assigned[need]?.length === count);
  return { assigned, shortage: isFilled ? undefined : shortageOf(needs) };
}

/** By Hall's theorem, a crew that cannot be filled has a shortage. */
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
    const available = [...peopleWith].reduce(
      (sum, [open, people]) => sum + (open & chosen ? people.length : 0),
      0,
    );
    if (wanted > available) smallest = { needs: members, wanted, available };
  }
  return smallest;
}
