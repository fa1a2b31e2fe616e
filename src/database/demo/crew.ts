/** Further people beside the demo set: made by rule, as many as wanted, so that each run makes the same. */
import { slugOf } from '../../entities/definition.js';
import { demoJobRoles } from './definitions.js';
import { type DemoOrganization, publisher } from './organizations.js';
import { type Person, persons } from './people.js';
import { pick } from './table.js';

/** People of one portion: as many as the demo set has members. */
export const portionSize = persons.length;
/** Portions of one organization: 1,300 people. */
const portionsEach = 20;

const standardRoles = demoJobRoles.filter(({ organization }) => organization.slug === publisher);

export interface Portion {
  readonly organization: DemoOrganization;
  /** From 0 within the organization. */
  readonly number: number;
  readonly people: readonly Person[];
}

/** @param index From 0. */
export function portionAt(index: number): Portion {
  const company = 1 + Math.floor(index / portionsEach);
  const number = index % portionsEach;
  const organization = {
    slug: `demo-towers-${company}`,
    name: `Demo Towers ${company}`,
    age: String(400 + ((company * 37) % 300)),
    domain: `towers-${company}.example`,
    prefix: `DT${company}`,
  };
  const people = Array.from({ length: portionSize }, (_, place) => personAt(organization, number * portionSize + place));
  return { organization, number, people };
}

/** First and last names of the demo set, each pair once. */
function personAt(organization: DemoOrganization, number: number): Person {
  const { firstName } = pick(persons, number);
  const { lastName } = pick(persons, number + 1 + Math.floor(number / persons.length));
  return {
    organization,
    number,
    firstName,
    lastName,
    email: `${slugOf(firstName)}.${slugOf(lastName)}.${number}@${organization.domain}`,
    jobRoles: [pick(standardRoles, number).slug],
    role: ['admin', 'manager'][number] ?? 'member',
    status: number % 40 === 39 ? 'suspended' : number % 20 === 19 ? 'invited' : 'active',
    isPrimary: true,
  };
}
