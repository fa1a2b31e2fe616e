/**
 * Organizations, definitions and people of the demo set as rows of their tables, without
 * `updatedAt`.
 */

import { jobRoleTexts, qualificationTexts, typeTexts } from '../catalogue/definitions.js';
import { words } from '../catalogue/table.js';
import { dayAfter } from '../scalars/day.js';
import { momentOf } from './days.js';
import { demoJobRoles, demoQualifications, demoTypes } from './definitions.js';
import { type DemoKind, demoId } from './ids.js';
import { type DemoOrganization, foundedOn, organizations, publisher } from './organizations.js';
import { joinedOn, type Person, persons } from './people.js';

export const organizationRows = (
  day: string,
  founded: readonly DemoOrganization[] = organizations,
) =>
  founded.map((organization, number) => ({
    id: demoId('organization', organization.slug),
    name: organization.name,
    slug: organization.slug,
    status: 'active',
    isPublisher: organization.slug === publisher,
    createdAt: momentOf(foundedOn(organization, day), number),
  }));

interface Definition {
  readonly organization: DemoOrganization;
  readonly slug: string;
  readonly number: number;
}

/** The columns of every definition. Definitions follow soon after their organization. */
const definitionRow = (
  day: string,
  kind: DemoKind,
  { organization, slug, number }: Definition,
) => ({
  id: demoId(kind, slug),
  organizationId: demoId('organization', organization.slug),
  slug,
  scope: organization.slug === publisher ? 'standard' : 'organization',
  status: 'active',
  createdAt: momentOf(dayAfter(foundedOn(organization, day), 1 + (number % 5)), number),
});

export const certificationTypeRows = (day: string) =>
  demoTypes.map((type) => ({
    ...definitionRow(day, 'certification-type', type),
    ...typeTexts(type),
  }));

export const qualificationRows = (day: string) =>
  demoQualifications.map((qualification) => ({
    ...definitionRow(day, 'qualification', qualification),
    ...qualificationTexts(qualification),
  }));

export const jobRoleRows = (day: string) =>
  demoJobRoles.map((role) => ({
    ...definitionRow(day, 'job-role', role),
    ...jobRoleTexts(role),
  }));

/** Each role needs the qualification that people with the role usually work for. */
export const jobRoleQualificationRows = (day: string) =>
  demoJobRoles.map((role) => {
    const { id: jobRoleId, organizationId, createdAt } = definitionRow(day, 'job-role', role);
    return {
      organizationId,
      jobRoleId,
      qualificationId: demoId('qualification', role.qualification),
      position: 0,
      createdAt,
    };
  });

export const requirementRows = (day: string) =>
  demoQualifications.flatMap((qualification) => {
    const {
      id: qualificationId,
      organizationId,
      createdAt,
    } = definitionRow(day, 'qualification', qualification);
    const required = words(qualification.required);
    return [...required, ...words(qualification.optional)].map((type, position) => ({
      organizationId,
      qualificationId,
      certificationTypeId: demoId('certification-type', type),
      isRequired: position < required.length,
      position,
      createdAt,
    }));
  });

/** The accounts. Invited people have none. The addresses count as proven. */
export const userRows = (day: string, passwordHash: string, people: readonly Person[] = persons) =>
  people
    .filter(({ isPrimary, status }) => isPrimary && status !== 'invited')
    .map((person) => ({
      id: demoId('user', person.email),
      email: person.email,
      displayName: `${person.firstName} ${person.lastName}`,
      passwordHash,
      status: 'active',
      emailProvenAt: joinedAt(person, day),
      createdAt: joinedAt(person, day),
      updatedAt: joinedAt(person, day),
    }));

/** Every ninth member has no external id. */
export const memberRows = (day: string, people: readonly Person[] = persons) =>
  people.map((person) => ({
    ...memberKey(person),
    userId: person.status === 'invited' ? memberKey(person).id : demoId('user', person.email),
    email: person.email,
    displayName: `${person.firstName} ${person.lastName}`,
    firstName: person.firstName,
    lastName: person.lastName,
    role: person.role,
    status: person.status,
    isPrimary: person.isPrimary && person.status !== 'invited',
    externalId:
      person.number % 9 === 8 ? '' : `${person.organization.prefix}-${1001 + person.number}`,
    createdAt: joinedAt(person, day),
  }));

export const memberJobRoleRows = (day: string, people: readonly Person[] = persons) =>
  people.flatMap((person) =>
    person.jobRoles.map((role, index) => {
      const { organizationId, id } = memberKey(person);
      const assignedAt = joinedAt(person, day);
      return {
        organizationId,
        organizationMemberId: id,
        jobRoleId: demoId('job-role', role),
        isPrimary: index === 0,
        assignedAt,
        createdAt: assignedAt,
      };
    }),
  );

export const memberKey = ({ organization, email }: Person) => ({
  organizationId: demoId('organization', organization.slug),
  id: demoId('member', `${organization.slug}/${email}`),
});

const joinedAt = (person: Person, day: string): string =>
  momentOf(joinedOn(person, day), person.number);
