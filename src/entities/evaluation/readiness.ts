/** How a member stands with many qualifications at once. */
import { coverageOf, lossAfter, qualifiedSpans, spanAt } from './coverage.js';
import type { HeldRecord } from './evidence.js';
import { type Evaluation, evaluate, type Requirement, typesHeld } from './result.js';

export interface Readiness extends Evaluation {
  /** The first day on which a qualified member no longer is; null when none is foreseen, or the member isn't qualified. */
  readonly lostOn: string | null;
}

/** Evaluates a member on a day (`YYYY-MM-DD`, UTC): one readiness for each set of requirements. */
export function readinessOf(day: string, sets: readonly (readonly Requirement[])[], records: readonly HeldRecord[]): Readiness[] {
  const held = typesHeld(day, records);
  const coverage = coverageOf(records);
  return sets.map((requirements) => {
    const evaluation = evaluate(requirements, held);
    const isQualified = evaluation.status === 'qualified';
    return { ...evaluation, lostOn: isQualified ? lossAfter(spanAt(day, qualifiedSpans(requirements, coverage))) : null };
  });
}
