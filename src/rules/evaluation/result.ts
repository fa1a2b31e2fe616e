import { countsOn, type HeldRecord } from './evidence.js';

export const resultStatuses = ['qualified', 'not_qualified'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

export interface Requirement {
  readonly certificationTypeId: string;
  readonly isRequired: boolean;
}

/** The status for a qualification, with the numbers of held and required types. */
export interface Standing {
  readonly status: ResultStatus;
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
}

export interface Evaluation extends Standing {
  readonly missingCertificationTypeIds: string[];
}

/** The types with a record that counts on a day (`YYYY-MM-DD`, UTC). */
export function typesHeld(day: string, records: readonly HeldRecord[]): Set<string> {
  const held = new Set<string>();
  for (const record of records) if (countsOn(day, record)) held.add(record.certificationTypeId);
  return held;
}

/** The required types of a qualification, in order. */
export const requiredTypes = (requirements: readonly Requirement[]): string[] =>
  requirements
    .filter(({ isRequired }) => isRequired)
    .map(({ certificationTypeId }) => certificationTypeId);

/** Whether a member holds all required types; false when nothing is required. */
export const isMet = (required: readonly string[], held: ReadonlySet<string>): boolean =>
  required.length > 0 && required.every((type) => held.has(type));

/** Compares the types that a member holds with the required ones. */
export function standingOf(required: readonly string[], held: ReadonlySet<string>): Standing {
  let met = 0;
  for (const type of required) if (held.has(type)) met++;
  const status = isMet(required, held) ? 'qualified' : 'not_qualified';
  return { status, metRequirementCount: met, totalRequirementCount: required.length };
}

/**
 * The status of a member, with the missing types.
 * @param required In the order of the definition, which is also that of the missing types.
 */
export const evaluate = (required: readonly string[], held: ReadonlySet<string>): Evaluation => ({
  ...standingOf(required, held),
  missingCertificationTypeIds: required.filter((type) => !held.has(type)),
});
