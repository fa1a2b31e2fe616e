import { type Certification, countsOn } from './certification.js';

export const resultStatuses = ['qualified', 'not_qualified'] as const;

export interface Requirement {
  readonly certificationTypeId: string;
  readonly isRequired: boolean;
}

export type HeldRecord = Parameters<typeof countsOn>[1] & Pick<Certification, 'certificationTypeId'>;

export interface Evaluation {
  readonly status: (typeof resultStatuses)[number];
  readonly metRequirementCount: number;
  readonly totalRequirementCount: number;
  readonly missingCertificationTypeIds: string[];
}

/**
 * Whether the records that a member holds meet a qualification on a day (`YYYY-MM-DD`, UTC).
 * @param requirements In the order of the definition; the missing types come in the same order.
 */
export function evaluate(day: string, requirements: readonly Requirement[], records: readonly HeldRecord[]): Evaluation {
  const held = new Set(records.filter((record) => countsOn(day, record)).map((record) => record.certificationTypeId));
  const required = requirements.filter(({ isRequired }) => isRequired).map(({ certificationTypeId }) => certificationTypeId);
  const missing = required.filter((type) => !held.has(type));
  return {
    status: required.length > 0 && missing.length === 0 ? 'qualified' : 'not_qualified',
    metRequirementCount: required.length - missing.length,
    totalRequirementCount: required.length,
    missingCertificationTypeIds: missing,
  };
}
