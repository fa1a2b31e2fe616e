/** How a member stands with many qualifications at once. */
import { type Coverage, coverageOf, lossAfter, qualifiedSpans, spanAt } from './coverage.js';
import type { HeldRecord } from './evidence.js';
import { type Evaluation, evaluate, type Requirement, typesHeld } from './result.js';

export interface Readiness extends Evaluation {
  /** The first day on which a qualified member no longer is; null when none is foreseen, or the member isn't qualified. */
  readonly lostOn: string | null;
}

/**
 * Evaluates a member on a day (`YYYY-MM-DD`, UTC): one readiness for each set of requirements. When a qualification is lost is found out where it is
 * asked for: it takes longer than all the rest.
 */
export function readinessOf(day: string, sets: readonly (readonly Requirement[])[], records: readonly HeldRecord[]): Readiness[] {
  const held = typesHeld(day, records);
  let coverage: Coverage | undefined;
  return sets.map((requirements) => {
    const evaluation = evaluate(requirements, held);
    return {
      ...evaluation,
      get lostOn() {
        if (evaluation.status !== 'qualified') return null;
        coverage ??= coverageOf(records);
        return lossAfter(spanAt(day, qualifiedSpans(requirements, coverage)));
      },
    };
  });
}
