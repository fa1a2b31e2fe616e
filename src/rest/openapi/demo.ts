/**
 * Records of the examples: the demo set as loaded on a fixed day, so that the examples can be run
 * against it.
 */
import { appRows } from '../../demo/apps.js';
import { certificationRows } from '../../demo/certifications.js';
import { holdings } from '../../demo/holdings.js';
import { demoId } from '../../demo/ids.js';
import * as rows from '../../demo/rows.js';
import { encodeCursor } from '../../graph/reads/cursor.js';
import type { Json } from './schemas.js';

const day = '2026-03-02';
const tenant = 'skyline-towers';
const person = `${tenant}/climber@skyline.example`;

/** In the precision of the database. */
function stamped<Row extends { createdAt: string }>(row: Row) {
  const createdAt = row.createdAt.replace('Z', '000Z');
  return { ...row, createdAt, updatedAt: createdAt };
}

function find<Row extends { id: string; createdAt: string }>(all: readonly Row[], id: string) {
  const row = all.find((each) => each.id === id);
  if (!row) throw new Error(`The demo set has no record ${id}.`);
  return stamped(row);
}

/** Index of the record in the set. Avoids deriving a thousand ids on each start. */
const number = holdings.findIndex(
  ({ person: { organization, email }, type }) =>
    `${organization.slug}/${email}` === person && type === 'nwsa-ttt2',
);
const organization = find(rows.organizationRows(day), demoId('organization', tenant));
const member = find(rows.memberRows(day), demoId('member', person));
const record = find(
  certificationRows(day, holdings.slice(number, number + 1), number),
  demoId('certification', `${person}/nwsa-ttt2`),
);
const type = find(rows.certificationTypeRows(day), demoId('certification-type', 'night-work'));
const qualification = find(rows.qualificationRows(day), demoId('qualification', 'night-crew'));
const role = find(rows.jobRoleRows(day), demoId('job-role', 'night-crew-coordinator'));
const app = find(appRows(day), demoId('app', 'demo-sync'));
const requirements = rows
  .requirementRows(day)
  .filter(({ qualificationId }) => qualificationId === qualification.id)
  .map(stamped);
const missing = requirements.filter(({ isRequired }) => isRequired).slice(0, 2);

/** By GraphQL type, with GraphQL property names. */
export const records: Readonly<Record<string, unknown>> = {
  Organization: organization,
  OrganizationMember: member,
  Certification: {
    ...record,
    validityStatus: 'valid',
    certificationType: find(rows.certificationTypeRows(day), record.certificationTypeId),
  },
  CertificationType: type,
  Qualification: qualification,
  JobRole: role,
  JobRoleAssignment: {
    ...role,
    organizationMemberId: member.id,
    jobRoleId: role.id,
    isPrimary: false,
    assignedAt: role.createdAt,
  },
  QualificationRequirement: requirements,
  QualificationResult: {
    organizationMemberId: member.id,
    qualificationId: qualification.id,
    status: 'not_qualified',
    metRequirementCount: 1,
    totalRequirementCount: 3,
    missingCertificationTypeIds: missing.map(({ certificationTypeId }) => certificationTypeId),
    evaluatedAt: `${day}T09:30:00.000000Z`,
  },
  Identity: {
    user: { id: member.userId, email: member.email, displayName: member.displayName },
    app,
    apiScopes: app.apiScopes,
    scopes: ['profile', 'email'],
    organizations: [
      {
        ...organization,
        organizationMemberId: member.id,
        role: member.role,
        isPrimary: true,
        approvedScopes: app.apiScopes,
        approvalRequired: false,
      },
    ],
  },
};

/** The page information of an example list. */
export const pageInfo = { nextCursor: encodeCursor(['examples'], record), hasNextPage: true };

/** By GraphQL input type. The created records are not in the demo set. */
const bodies: Readonly<Record<string, Json>> = {
  CertificationCreate: {
    organizationMemberId: member.id,
    certificationTypeId: record.certificationTypeId,
    source: record.source,
    issuedOn: record.issuedOn,
    expiresOn: record.expiresOn,
    issuerName: record.issuerName,
    serialNumber: record.serialNumber,
  },
  CertificationUpdate: { externalId: 'LMS-48213', externalSource: 'lms' },
  OrganizationMemberCreate: {
    email: 'nia.calloway@skyline.example',
    displayName: 'Nia Calloway',
    firstName: 'Nia',
    lastName: 'Calloway',
    externalId: 'SKY-2001',
  },
  CertificationTypeCreate: {
    slug: 'tower-lighting',
    title: 'Tower Lighting Maintenance',
    description: 'Obstruction lighting: inspection and repair.',
  },
  QualificationCreate: {
    slug: 'lighting-crew',
    name: 'Lighting Crew',
    description: 'May work on obstruction lighting.',
  },
  JobRoleUpdate: { name: 'Night Crew Lead' },
  JobRoleAssign: { isPrimary: false },
  RequirementsReplace: {
    requirements: requirements.map(({ certificationTypeId, isRequired }) => ({
      certificationTypeId,
      isRequired,
    })),
  },
};

/** The body of an operation with an input type. A manager's record counts without verification. */
export const bodyOf = (operation: string, type: string): Json | undefined =>
  operation === 'CreateCertification' ? { ...bodies[type], source: 'manual' } : bodies[type];

const createdAt = '2026-03-01T09:30:00.000000Z';

/** By operation: what a record has when it is created. The person of the new member is new. */
const initial: Readonly<Record<string, Json>> = {
  CreateOrganizationMember: {
    id: demoId('member', `${tenant}/nia.calloway@skyline.example`),
    userId: demoId('user', 'nia.calloway@skyline.example'),
    role: 'member',
    status: 'invited',
    isPrimary: false,
  },
};

/** The properties that an operation sets by itself on the record that it creates. */
export const initialOf = (operation: string): Json =>
  operation.startsWith('Create') ? { createdAt, updatedAt: createdAt, ...initial[operation] } : {};

/** Examples of path parameters. */
export const pathExamples: Readonly<Record<string, string>> = {
  organization_id: organization.id,
  organization_member_id: member.id,
  certification_id: record.id,
  certification_type_id: type.id,
  qualification_id: qualification.id,
  job_role_id: role.id,
};
