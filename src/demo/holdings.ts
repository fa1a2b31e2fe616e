/**
 * The certifications of the demo set and their states. Most people hold what their job roles
 * require, in order; some have one gap, or one record that expires soon. Each tenant has records in
 * all states: current ones of types that no job role requires, and predecessors.
 */

import { parseTable, pick } from '../catalogue/table.js';
import {
  type CertificationSource,
  type LifecycleStatus,
  lifecycleStatuses,
  sources,
  type ValidityStatus,
  type VerificationStatus,
  validityStatuses,
  verificationStatuses,
} from '../entities/certification.js';
import { typesOfJobRole } from './definitions.js';
import { type DemoOrganization, organizations } from './organizations.js';
import { type Person, persons } from './people.js';

interface State {
  readonly lifecycle: LifecycleStatus;
  readonly verification: VerificationStatus;
  readonly validity: ValidityStatus;
  readonly source: CertificationSource;
}

export interface Holding extends State {
  readonly person: Person;
  /** Slug of the certification type. */
  readonly type: string;
  /** A newer record of the same type exists. */
  readonly isPrevious: boolean;
}

const climber = 'climber@skyline.example';

/**
 * Enough for supervised-climber. For lead-climber one is expired, one unverified, and one missing:
 * competent-rescuer.
 */
const heldByClimber = parseTable(
  ['type', 'lifecycle', 'verification', 'validity', 'source', 'isPrevious'],
  `
    authorized-climber   · active   · verified   · valid    · import
    rf-awareness         · active   · verified   · valid    · api
    rf-awareness         · archived · verified   · expired  · import        · previous
    osha-10              · active   · verified   · valid    · manual
    first-aid-cpr-aed    · active   · verified   · valid    · self-reported
    competent-climber    · active   · verified   · expired  · import
    nwsa-ttt2            · active   · unverified · valid    · self-reported
    bloodborne-pathogens · active   · pending    · expiring · api
    dot-medical          · active   · failed     · valid    · manual`,
) as (State & { type: string; isPrevious: string })[];

const statesOf = (...lifecycles: LifecycleStatus[]): State[] =>
  lifecycles.flatMap((lifecycle, first) =>
    verificationStatuses.flatMap((verification, second) =>
      validityStatuses.map((validity, third) => ({
        lifecycle,
        verification,
        validity,
        source: pick(sources, first + second + third),
      })),
    ),
  );

const activeStates = statesOf('active');
const endedStates = statesOf(...lifecycleStatuses.filter((lifecycle) => lifecycle !== 'active'));

const inOrder = (number: number): State => ({
  lifecycle: 'active',
  verification: 'verified',
  validity: 'valid',
  source: pick(['import', 'api', 'manual'], number),
});

const everyoneNeeds = [
  'dot-medical',
  'gwo-wah',
  'forklift-operator',
  'bloodborne-pathogens',
  'hazwoper-refresher',
];

/** What the one required record of every sixth person lacks. Null: there is no record. */
const gaps: readonly (Partial<State> | null)[] = [
  { validity: 'expired' },
  { verification: 'unverified', source: 'self-reported' },
  null,
  { verification: 'failed' },
];

interface Held {
  readonly person: Person;
  readonly type: string;
  /** Changes of a record in order; the whole state of a type that no job role requires. */
  readonly state: Partial<State>;
}

/** @param order Number of the person among those who hold something. */
function heldBy(person: Person, order: number): Held[] {
  const required = [...new Set(person.jobRoles.flatMap(typesOfJobRole))];
  const affected = order % required.length;
  const stateOf = (index: number): Partial<State> | null => {
    if (index !== affected) return {};
    if (order % 6 === 5) return pick(gaps, Math.floor(order / 6));
    return order % 6 === 2 ? { validity: 'expiring' } : {};
  };
  const needed = required.flatMap((type, index) => {
    const state = stateOf(index);
    return state ? [{ person, type, state }] : [];
  });
  const others = everyoneNeeds.filter((type) => !required.includes(type));
  return [...needed, { person, type: pick(others, order), state: pick(activeStates, order) }];
}

function holdingsOf({ person, type, state }: Held, number: number): Holding[] {
  const current = { person, type, isPrevious: false, ...inOrder(number), ...state };
  return number % 3 === 1
    ? [{ person, type, isPrevious: true, ...pick(endedStates, Math.floor(number / 3)) }, current]
    : [current];
}

/** Invited people hold nothing yet. */
export const usualHoldings = (people: readonly Person[]): Holding[] =>
  people
    .filter(
      ({ status, email, jobRoles }) =>
        status !== 'invited' && email !== climber && jobRoles.length > 0,
    )
    .flatMap(heldBy)
    .flatMap(holdingsOf);

const climberHoldings: Holding[] = persons
  .filter(({ email }) => email === climber)
  .flatMap((person) =>
    heldByClimber.map((row) => ({ ...row, person, isPrevious: row.isPrevious !== '' })),
  );

const membersOf = (organization: DemoOrganization): Person[] =>
  persons.filter((person) => person.organization === organization);

/** All holdings of both tenants. */
export const holdings: readonly Holding[] = [
  ...climberHoldings,
  ...organizations.flatMap((organization) => usualHoldings(membersOf(organization))),
];
