import { countsOn, type HeldRecord } from './evidence.js';

export const resultStatuses = ['qualified', 'not_qualified'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

export interface Requirement {
  readonly certificationTypeId: string;
  readonly isRequired: boolean;
}

export interface Evaluation {
  readonly status: ResultStatus;
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
  readonly missingCertificationTypeIds: string[];
}

/** The types of which a record counts on a day (`YYYY-MM-DD`, UTC). */
export function typesHeld(day: string, records: readonly HeldRecord[]): Set<string> {
  const held = new Set<string>();
  for (const record of records) if (countsOn(day, record)) held.add(record.certificationTypeId);
  return held;
}

/** The types that a qualification can't be had without, in order. */
export const requiredTypes = (requirements: readonly Requirement[]): string[] =>
  requirements.filter(({ isRequired }) => isRequired).map(({ certificationTypeId }) => certificationTypeId);

/** Whether the types that a member holds are all that are required; of a qualification that requires nothing, never. */
export const isMet = (required: readonly string[], held: ReadonlySet<string>): boolean =>
  required.length > 0 && required.every((type) => held.has(type));

/**
 * How the types that a member holds meet a qualification.
 * @param requirements In the order of the definition; the missing types come in the same order.
 */
export function evaluate(requirements: readonly Requirement[], held: ReadonlySet<string>): Evaluation {
  const required = requiredTypes(requirements);
  const missing = required.filter((type) => !held.has(type));
  return {
    status: isMet(required, held) ? 'qualified' : 'not_qualified',
    metRequirementCount: required.length - missing.length,
    totalRequirementCount: required.length,
    missingCertificationTypeIds: missing,
  };
}
