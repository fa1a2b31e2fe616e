/** Organizations, definitions and people of the demo set as rows of their tables: all but `updatedAt`. */
import { dayAfter } from '../../entities/day.js';
import { momentOf } from './days.js';
import { demoJobRoles, demoQualifications, demoTypes } from './definitions.js';
import { type DemoKind, demoId } from './ids.js';
import { type DemoOrganization, foundedOn, organizations, publisher } from './organizations.js';
import { joinedOn, type Person, persons } from './people.js';
import { words } from './table.js';

export const organizationRows = (day: string, founded: readonly DemoOrganization[] = organizations) =>
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

/** What every definition has. They came soon after their organization. */
const definitionRow = (day: string, kind: DemoKind, { organization, slug, number }: Definition) => ({
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
    title: type.title,
    description: `Issuer: ${type.issuer}. ${type.months ? `Typically valid for ${type.months} months.` : 'Does not expire.'}`,
  }));

export const qualificationRows = (day: string) =>
  demoQualifications.map((qualification) => ({
    ...definitionRow(day, 'qualification', qualification),
    name: qualification.name,
    description: `Site clearance: ${qualification.name}.`,
  }));

export const jobRoleRows = (day: string) =>
  demoJobRoles.map((role) => ({
    ...definitionRow(day, 'job-role', role),
    name: role.name,
    description: `Usually needs the qualification ${role.qualification}.`,
  }));

/** Each role needs the qualification that people of the role usually work for. */
export const jobRoleQualificationRows = (day: string) =>
  demoJobRoles.map((role) => {
    const { id: jobRoleId, organizationId, createdAt } = definitionRow(day, 'job-role', role);
    return { organizationId, jobRoleId, qualificationId: demoId('qualification', role.qualification), position: 0, createdAt };
  });

export const requirementRows = (day: string) =>
  demoQualifications.flatMap((qualification) => {
    const { id: qualificationId, organizationId, createdAt } = definitionRow(day, 'qualification', qualification);
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

/** Who is only invited has no password yet. */
export const userRows = (day: string, passwordHash: string, people: readonly Person[] = persons) =>
  people
    .filter(({ isPrimary }) => isPrimary)
    .map((person) => ({
      id: demoId('user', person.email),
      email: person.email,
      displayName: `${person.firstName} ${person.lastName}`,
      passwordHash: person.status === 'invited' ? null : passwordHash,
      status: 'active',
      createdAt: joinedAt(person, day),
      updatedAt: joinedAt(person, day),
    }));

/** Every ninth member has no external id. */
export const memberRows = (day: string, people: readonly Person[] = persons) =>
  people.map((person) => ({
    ...memberKey(person),
    userId: demoId('user', person.email),
    email: person.email,
    displayName: `${person.firstName} ${person.lastName}`,
    firstName: person.firstName,
    lastName: person.lastName,
    role: person.role,
    status: person.status,
    isPrimary: person.isPrimary,
    externalId: person.number % 9 === 8 ? '' : `${person.organization.prefix}-${1001 + person.number}`,
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

const joinedAt = (person: Person, day: string): string => momentOf(joinedOn(person, day), person.number);
