/** Members and qualifications for laws: few days, so that everything meets everything. */
import fc from 'fast-check';
import {
  lifecycleStatuses,
  sources,
  verificationStatuses,
} from '../../../src/entities/certification.js';
import type { KnownRecord } from '../../../src/rules/evaluation/evidence.js';
import type { Requirement } from '../../../src/rules/evaluation/result.js';
import { dayAfter } from '../../../src/scalars/day.js';

export const start = '2026-02-20';
/** Every day that the records below can begin or end on, and some before and after. */
export const days = Array.from({ length: 24 }, (_, index) => dayAfter(start, index - 4));
export const types = ['climber', 'rescuer', 'rf', 'first-aid'];

const day = fc.integer({ min: 0, max: 15 }).map((number) => dayAfter(start, number));
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null, freq: 5 });

/** Mostly sound records, so that results go both ways; every combination of states comes. */
const record: fc.Arbitrary<Omit<KnownRecord, 'certificationId'>> = fc
  .record({
    certificationTypeId: fc.constantFrom(...types),
    lifecycleStatus: fc.oneof(
      { weight: 3, arbitrary: fc.constant('active' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...lifecycleStatuses) },
    ),
    verificationStatus: fc.constantFrom(...verificationStatuses),
    source: fc.constantFrom(...sources),
    issuedOn: maybe(day),
    expiresOn: maybe(day),
  })
  .map(({ issuedOn, expiresOn, ...rest }) =>
    issuedOn !== null && expiresOn !== null && issuedOn > expiresOn
      ? { ...rest, issuedOn: expiresOn, expiresOn: issuedOn }
      : { ...rest, issuedOn, expiresOn },
  );

export const records: fc.Arbitrary<KnownRecord[]> = fc
  .array(record, { maxLength: 10 })
  .map((all) => all.map((each, index) => ({ ...each, certificationId: `record-${index}` })));

export const requirements: fc.Arbitrary<Requirement[]> = fc
  .uniqueArray(fc.constantFrom(...types), { maxLength: 3 })
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((type) =>
        fc.record(
          {
            certificationTypeId: fc.constant(type),
            isRequired: fc.constantFrom(true, true, false),
          },
          { noNullPrototype: true },
        ),
      ),
    ),
  );
