/**
 * A request for every root field of the schema, made from ids: those of one's own organization, of
 * another's, or of nothing. A field without one fails.
 */
import type { GraphQLField } from 'graphql';
import type { ApiScope } from '../../src/auth/scopes.js';
import { schema } from '../../src/graph/schema.js';

/**
 * What refers to a record, by the kind of record; also the names by which clients may refer to one.
 */
export interface Ids {
  readonly organization: string;
  readonly member: string;
  readonly memberEmail: string;
  readonly memberExternalId: string;
  readonly certification: string;
  readonly certificationExternalId: string;
  readonly certificationType: string;
  readonly certificationTypeSlug: string;
  readonly qualification: string;
  readonly jobRole: string;
}

/**
 * Who may have the answer: anyone with a token, any member, a member about themselves, managers and
 * admins.
 */
export type Needs = 'token' | 'member' | 'own' | 'manager';

export interface FieldCase {
  readonly needs: Needs;
  /** As decisions.md assigns them to families. */
  readonly scopes: readonly ApiScope[];
  readonly args: (ids: Ids) => Record<string, unknown>;
}

const of = (needs: Needs, scopes: string, args: FieldCase['args']): FieldCase => ({
  needs,
  scopes: scopes.split(' ') as ApiScope[],
  args,
});
const none = (args: FieldCase['args']): FieldCase => ({ needs: 'token', scopes: [], args });

const records = (action: 'read' | 'write') => `certification_records:${action}`;
const results = 'organization_members:read certification_records:read';
const page = { first: 5 };
const moment = { asOf: '2026-06-01' };

const inOrganization = ({ organization }: Ids) => ({ organizationId: organization });
const ofRecord = (ids: Ids) => ({ ...inOrganization(ids), id: ids.certification });
const ofMember = (ids: Ids) => ({ ...inOrganization(ids), organizationMemberId: ids.member });
const memberById = (ids: Ids) => ({ ...inOrganization(ids), id: ids.member });
const range = (ids: Ids) => ({
  ...inOrganization(ids),
  qualificationIds: [ids.qualification],
  jobRoleId: ids.jobRole,
  ...moment,
});
const check = { method: 'registry', reason: 'Asked the issuer.' };
const newRecord = (ids: Ids) => ({
  certificationTypeId: ids.certificationType,
  organizationMemberId: ids.member,
  issuedOn: '2026-01-05',
  source: 'SELF_REPORTED',
});

/** A row for each way to name a holder and a type. */
const upsertRows = (ids: Ids) =>
  [
    { organizationMemberId: ids.member, certificationTypeId: ids.certificationType },
    { memberEmail: ids.memberEmail, certificationTypeSlug: ids.certificationTypeSlug },
    { memberExternalId: ids.memberExternalId, certificationTypeId: ids.certificationType },
  ].map((row, number) => ({
    externalSource: 'security',
    externalId: `UP-${number}`,
    issuedOn: '2026-01-05',
    ...row,
  }));

export const queryCases: Readonly<Record<string, FieldCase>> = {
  certification: of('manager', records('read'), ofRecord),
  certificationType: of('member', 'certification_types:read', (ids) => ({
    ...inOrganization(ids),
    id: ids.certificationType,
  })),
  certificationTypes: of('member', 'certification_types:read', (ids) => ({
    ...inOrganization(ids),
    ...page,
  })),
  certifications: of('own', records('read'), (ids) => ({
    ...ofMember(ids),
    ...page,
    certificationTypeId: ids.certificationType,
    jobRoleId: ids.jobRole,
    externalId: ids.certificationExternalId,
  })),
  changes: of(
    'member',
    'organizations:read organization_members:read certification_types:read certification_records:read qualifications:read job_roles:read',
    (ids) => ({
      ...inOrganization(ids),
      ...page,
      changedAfter: new Date(Date.now() - 3_600_000).toISOString(),
    }),
  ),
  findCertification: of('own', records('read'), (ids) => ({
    ...inOrganization(ids),
    externalId: ids.certificationExternalId,
  })),
  findOrganizationMember: of('own', 'organization_members:read', memberById),
  jobRoles: of('member', 'job_roles:read', (ids) => ({ ...inOrganization(ids), ...page })),
  me: none(() => ({})),
  myCertification: of('token', records('read'), (ids) => ({ id: ids.certification })),
  myCertifications: of('token', records('read'), () => page),
  myQualificationResult: of('token', results, (ids) => ({ qualificationId: ids.qualification })),
  node: none((ids) => ({ id: ids.certification })),
  nodes: none((ids) => ({
    ids: [
      ids.organization,
      ids.member,
      ids.certification,
      ids.certificationType,
      ids.qualification,
      ids.jobRole,
    ],
  })),
  organization: of('member', 'organizations:read', ({ organization }) => ({ id: organization })),
  organizationMember: of('own', 'organization_members:read', memberById),
  organizationMembers: of('member', 'organization_members:read', (ids) => ({
    ...inOrganization(ids),
    ...page,
    jobRoleId: ids.jobRole,
    email: ids.memberEmail,
    externalId: ids.memberExternalId,
  })),
  organizations: of('token', 'organizations:read', () => page),
  planCrew: of('manager', results, (ids) => ({
    ...inOrganization(ids),
    day: '2026-06-01',
    needs: [{ qualificationId: ids.qualification, count: 1 }],
  })),
  previewRequirements: of('manager', `${results} qualifications:read`, (ids) => ({
    ...inOrganization(ids),
    qualificationId: ids.qualification,
    requirements: [{ certificationTypeId: ids.certificationType }],
  })),
  qualification: of('member', 'qualifications:read', (ids) => ({
    ...inOrganization(ids),
    id: ids.qualification,
  })),
  qualificationForecast: of('manager', results, (ids) => ({ ...range(ids), ...page, days: 30 })),
  qualificationRequirements: of('member', 'qualifications:read', (ids) => ({
    ...inOrganization(ids),
    qualificationId: ids.qualification,
  })),
  qualificationResult: of('own', results, (ids) => ({
    ...ofMember(ids),
    qualificationId: ids.qualification,
    ...moment,
  })),
  qualificationResults: of('own', results, (ids) => ({ ...ofMember(ids), ...page, ...moment })),
  qualifications: of('member', 'qualifications:read', (ids) => ({
    ...inOrganization(ids),
    ...page,
  })),
  readiness: of('manager', results, range),
};

const definition = (
  scope: string,
  kind: 'certificationType' | 'qualification' | 'jobRole',
  name: 'title' | 'name',
) => ({
  create: of('manager', `${scope}:write`, (ids) => ({
    ...inOrganization(ids),
    input: { [name]: `Made for security ${kind}` },
  })),
  update: of('manager', `${scope}:write`, (ids) => ({
    ...inOrganization(ids),
    id: ids[kind],
    input: { description: 'Changed.' },
  })),
  move: of('manager', `${scope}:write`, (ids) => ({ ...inOrganization(ids), id: ids[kind] })),
});
const types = definition('certification_types', 'certificationType', 'title');
const qualifications = definition('qualifications', 'qualification', 'name');
const jobRoles = definition('job_roles', 'jobRole', 'name');

export const mutationCases: Readonly<Record<string, FieldCase>> = {
  archiveCertification: of('manager', records('write'), ofRecord),
  archiveCertificationType: types.move,
  archiveJobRole: jobRoles.move,
  archiveQualification: qualifications.move,
  assignJobRole: of('manager', 'job_roles:write', (ids) => ({
    ...ofMember(ids),
    jobRoleId: ids.jobRole,
    input: { isPrimary: true },
  })),
  createCertification: of('own', records('write'), (ids) => ({
    ...inOrganization(ids),
    input: newRecord(ids),
  })),
  createCertificationType: types.create,
  createJobRole: jobRoles.create,
  createMyCertification: of('token', records('write'), (ids) => ({ input: newRecord(ids) })),
  createOrganizationMember: of('manager', 'organization_members:write', (ids) => ({
    ...inOrganization(ids),
    input: { email: 'made.for.security@skyline.example' },
  })),
  createQualification: qualifications.create,
  failCertificationVerification: of('manager', records('write'), (ids) => ({
    ...ofRecord(ids),
    input: check,
  })),
  reinstateOrganizationMember: of('manager', 'organization_members:write', memberById),
  removeJobRole: of('manager', 'job_roles:write', (ids) => ({
    ...ofMember(ids),
    jobRoleId: ids.jobRole,
  })),
  replaceJobRoleQualifications: of('manager', 'job_roles:write', (ids) => ({
    ...inOrganization(ids),
    jobRoleId: ids.jobRole,
    qualificationIds: [ids.qualification],
  })),
  replaceQualificationRequirements: of('manager', 'qualifications:write', (ids) => ({
    ...inOrganization(ids),
    qualificationId: ids.qualification,
    input: { requirements: [{ certificationTypeId: ids.certificationType }] },
  })),
  restoreCertification: of('manager', records('write'), ofRecord),
  restoreCertificationType: types.move,
  restoreJobRole: jobRoles.move,
  restoreQualification: qualifications.move,
  revokeCertification: of('manager', records('write'), (ids) => ({
    ...ofRecord(ids),
    input: { reason: 'A forgery.' },
  })),
  revokeCertifications: of('manager', records('write'), (ids) => ({
    ...inOrganization(ids),
    dryRun: false,
    input: {
      issuerName: 'Harbor Fiber',
      issuedFrom: '2000-01-01',
      issuedUntil: '2099-01-01',
      reason: 'A forger.',
    },
  })),
  submitCertificationForVerification: of('own', records('write'), ofRecord),
  setPrimaryMembership: of('member', 'organization_members:write', inOrganization),
  suspendOrganizationMember: of('manager', 'organization_members:write', memberById),
  updateCertification: of('own', records('write'), (ids) => ({
    ...ofRecord(ids),
    input: { serialNumber: 'S-1' },
  })),
  updateCertificationType: types.update,
  updateJobRole: jobRoles.update,
  updateOrganizationMember: of('manager', 'organization_members:write', (ids) => ({
    ...memberById(ids),
    input: { firstName: 'Joan' },
  })),
  updateQualification: qualifications.update,
  upsertCertifications: of('manager', records('write'), (ids) => ({
    ...inOrganization(ids),
    rows: upsertRows(ids),
  })),
  upsertMembers: of('manager', 'organization_members:write', (ids) => ({
    ...inOrganization(ids),
    rows: [{ externalId: 'SECURITY-1', email: 'upserted.for.security@skyline.example' }],
  })),
  verifyCertification: of('manager', records('write'), (ids) => ({
    ...ofRecord(ids),
    input: check,
  })),
};

export interface RootField extends FieldCase {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
}

/** @throws {Error} when a field has no case, or a case no field. */
function join(kind: RootField['kind'], cases: Readonly<Record<string, FieldCase>>): RootField[] {
  const fields =
    (kind === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {};
  const odd = Object.keys({ ...fields, ...cases }).filter(
    (name) => !(name in fields && name in cases),
  );
  if (odd.length > 0)
    throw new Error(
      `test/security/fields.ts and the schema differ in ${odd.join(', ')}: add or take away a case.`,
    );
  return Object.entries(fields).map(([name, field]) => ({
    ...(cases[name] as FieldCase),
    kind,
    name,
    field,
  }));
}

export const rootFields: readonly RootField[] = [
  ...join('query', queryCases),
  ...join('mutation', mutationCases),
];
