/**
 * What happened to the records of the demo set, step by step: a technician is invited, accepts, gets
 * a job role and certifications; records are verified, replaced and revoked.
 */
import type { EntityClass } from '@mikro-orm/core';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from '../entities/definition.js';
import { JobRoleQualification } from '../entities/job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from '../entities/member.js';
import { Organization } from '../entities/organization.js';
import { dayAfter } from '../scalars/day.js';
import { certificationStory } from './certification-story.js';
import { operator, type Step, type Subject } from './chronicle.js';
import { later, latest, minutes, momentOf } from './days.js';
import { acceptedAt, officeOf } from './office.js';
import { persons } from './people.js';
import * as rows from './rows.js';

/** All records of organizations in the demo set, in the order of their foreign keys. */
export function demoStory(day: string): Subject[] {
  return [
    ...made(Organization, ['id'], rows.organizationRows(day), 'id'),
    ...made(CertificationType, ['id'], rows.certificationTypeRows(day)),
    ...made(Qualification, ['id'], rows.qualificationRows(day)),
    ...made(
      QualificationRequirement,
      ['qualificationId', 'certificationTypeId'],
      rows.requirementRows(day),
    ),
    ...made(JobRole, ['id'], rows.jobRoleRows(day)),
    ...made(
      JobRoleQualification,
      ['jobRoleId', 'qualificationId'],
      rows.jobRoleQualificationRows(day),
    ),
    ...members(day),
    ...jobRoles(day),
    ...certificationStory(day),
  ];
}

/** Records that the operator creates when the organization is set up. */
const made = (
  entity: EntityClass<object>,
  key: readonly string[],
  all: readonly (Readonly<Record<string, unknown>> & { readonly createdAt: string })[],
  owner = 'organizationId',
): Subject[] =>
  all.map(({ createdAt, ...row }) => {
    const isKey = ([name]: [string, unknown]) => key.includes(name);
    const { organizationId, ...rest } = row;
    const set = Object.fromEntries(Object.entries(rest).filter((each) => !isKey(each)));
    return {
      organizationId: String(row[owner]),
      entity,
      key: Object.fromEntries(Object.entries(row).filter(isKey)),
      ...(organizationId !== undefined && { hidden: { organizationId } }),
      steps: [{ at: createdAt, by: operator, set }],
    };
  });

function members(day: string): Subject[] {
  const office = officeOf(day);
  return rows.memberRows(day).map((row, index) => {
    const { organizationId, id, createdAt, ...set } = row;
    const number = persons[index]?.number ?? 0;
    const invited = { ...set, userId: id, status: 'invited', isPrimary: false };
    const steps: Step[] = [
      { at: createdAt, by: office.by(organizationId, createdAt, number), set: invited },
    ];
    if (set.status !== 'invited')
      steps.push({
        at: acceptedAt(row, number),
        by: { userId: set.userId, appId: null },
        set: {
          userId: set.userId,
          status: 'active',
          ...(set.isPrimary && { isPrimary: true }),
        },
      });
    if (set.status === 'suspended') {
      const at = momentOf(dayAfter(day, -2), number);
      steps.push({ at, by: office.by(organizationId, at, number), set: { status: 'suspended' } });
    }
    return { organizationId, entity: OrganizationMember, key: { organizationId, id }, steps };
  });
}

/** The first job role comes with the invitation, others later. */
function jobRoles(day: string): Subject[] {
  const office = officeOf(day);
  const recent = momentOf(dayAfter(day, -5), 0);
  return rows.memberJobRoleRows(day).map((row, number) => {
    const { organizationId, organizationMemberId, jobRoleId, isPrimary, assignedAt } = row;
    const further = later(assignedAt, (60 + ((number * 13) % 90)) * 1440 * minutes);
    const soon = later(assignedAt, 10 * minutes);
    const at = isPrimary ? soon : latest(soon, further < recent ? further : recent);
    return {
      organizationId,
      entity: MemberJobRole,
      key: { organizationId, organizationMemberId, jobRoleId },
      steps: [{ at, by: office.by(organizationId, at, number), set: { isPrimary } }],
    };
  });
}
