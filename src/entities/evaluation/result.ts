import { countsOn, type HeldRecord } from './evidence.js';

export const resultStatuses = ['qualified', 'not_qualified'] as const;
export type ResultStatus = (typeof resultStatuses)[number];

export interface Requirement {
  readonly certificationTypeId: string;
  readonly isRequired: boolean;
}

/** How many of the types that a qualification can't be had without a member has. */
export interface Standing {
  readonly status: ResultStatus;
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
}

export interface Evaluation extends Standing {
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

/** How far the types that a member holds meet those that a qualification requires. */
export function standingOf(required: readonly string[], held: ReadonlySet<string>): Standing {
  let met = 0;
  for (const type of required) if (held.has(type)) met++;
  const status = isMet(required, held) ? 'qualified' : 'not_qualified';
  return { status, metRequirementCount: met, totalRequirementCount: required.length };
}

/**
 * How a member stands, with the types that are missing.
 * @param required In the order of the definition; the missing types come in the same order.
 */
export const evaluate = (required: readonly string[], held: ReadonlySet<string>): Evaluation => ({
  ...standingOf(required, held),
  missingCertificationTypeIds: required.filter((type) => !held.has(type)),
});
