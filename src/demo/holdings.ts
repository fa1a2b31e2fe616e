/**
 * The certifications of the demo set and their states. People hold what their job roles require,
 * mostly in order. At regular intervals a record takes the next of the other states, so that each
 * tenant has all of them.
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

const typesHeldBy = ({ jobRoles, number }: Person): Set<string> =>
  new Set([
    ...jobRoles.flatMap(typesOfJobRole),
    ...(jobRoles.length > 0 ? [pick(everyoneNeeds, number)] : []),
  ]);

function holdingsOf(person: Person, type: string, number: number): Holding[] {
  const state = number % 6 === 5 ? pick(activeStates, Math.floor(number / 6)) : inOrder(number);
  const current = { person, type, isPrevious: false, ...state };
  return number % 3 === 1
    ? [{ person, type, isPrevious: true, ...pick(endedStates, Math.floor(number / 3)) }, current]
    : [current];
}

/** Invited people hold nothing yet. */
export const usualHoldings = (people: readonly Person[]): Holding[] =>
  people
    .filter((person) => person.status !== 'invited' && person.email !== climber)
    .flatMap((person) => [...typesHeldBy(person)].map((type) => ({ person, type })))
    .flatMap(({ person, type }, number) => holdingsOf(person, type, number));

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
