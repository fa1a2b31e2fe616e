/**
 * A sample request of every route: what the tests that walk the route table start from. A route
 * without one stops them.
 */
import { getNamedType, isInputObjectType } from 'graphql';
import { snakeCase } from '../../src/graph/input/dialect.js';
import { type Endpoint, readEndpoints } from '../../src/rest/operations.js';
import * as demo from './names.js';

export interface Case {
  readonly who: string;
  readonly path: Readonly<Record<string, string>>;
  /** A value for every query parameter but the cursor. */
  readonly query: Readonly<Record<string, string>>;
  /** Every property; fresh values for those that must be unique. */
  readonly body?: () => Record<string, unknown>;
}

let made = 0;
const fresh = (prefix: string): string => `${prefix}-${++made}`;

const organization = { organization_id: demo.skylineId };
const page = { limit: '3', updated_after: '2020-02-29T23:59:59.5+02:00' };
const certification = (source: string) => () => ({
  organization_member_id: demo.memberId(demo.climberEmail),
  external_id: fresh('REC'),
  external_source: 'crew-desk',
  certification_type_id: demo.typeId('osha-30'),
  source,
  issued_on: '2025-05-01',
  expires_on: '2099-05-01',
  issuer_name: 'Beacon Safety Institute',
  serial_number: 'OS-100',
});
const member = { ...organization, organization_member_id: demo.memberId(demo.climberEmail) };
const newType = () => ({ slug: fresh('type'), title: 'Ladder Inspection', description: 'Yearly.' });
const newQualification = () => ({
  slug: fresh('qualification'),
  name: 'Ladder Inspector',
  description: 'Inspects ladders.',
});
const manager = { who: demo.managerEmail, path: organization, query: {} };
const climber = { who: demo.climberEmail, path: {}, query: {} };
const standardQualification = { qualification_id: demo.qualificationId('supervised-climber') };

/** By operation. */
const cases: Readonly<Record<string, Case>> = {
  CreateMyCertification: { ...climber, body: certification('self-reported') },
  CreateCertification: { ...manager, body: certification('manual') },
  ListMyCertifications: { ...climber, query: page },
  GetMyCertification: {
    ...climber,
    path: { certification_id: demo.recordId(demo.climberEmail, 'rf-awareness') },
  },
  ListCertifications: {
    ...manager,
    query: {
      ...page,
      organization_member_id: demo.memberId(demo.climberEmail),
      external_id: 'BHR-20001',
      external_source: 'bamboo-hr',
    },
  },
  UpdateCertification: {
    ...manager,
    path: { ...organization, certification_id: demo.recordId(demo.climberEmail, 'osha-10') },
    body: () => ({
      external_id: fresh('REC'),
      external_source: 'crew-desk',
      issued_on: '2025-05-02',
      expires_on: '2099-05-02',
      issuer_name: 'Beacon',
      serial_number: 'OS-101',
    }),
  },
  ListOrganizations: { ...manager, path: {}, query: page },
  GetOrganization: manager,
  CreateOrganizationMember: {
    ...manager,
    body: () => ({
      email: `${fresh('new')}@skyline.example`,
      display_name: 'Nia Okafor',
      first_name: 'Nia',
      last_name: 'Okafor',
      role: 'rigger',
      is_primary: true,
      external_id: fresh('HR'),
    }),
  },
  ListOrganizationMembers: {
    ...manager,
    query: { ...page, email: 'Climber@Skyline.example', external_id: 'SKY-1003' },
  },
  ListJobRoles: { ...manager, query: page },
  UpdateJobRole: {
    ...manager,
    path: { ...organization, job_role_id: demo.jobRoleId('gin-pole-operator') },
    body: () => ({
      slug: fresh('role'),
      name: fresh('Gin Pole Operator'),
      description: 'Raises sections.',
    }),
  },
  AssignJobRole: {
    ...manager,
    path: { ...member, job_role_id: demo.jobRoleId('tower-technician-ii') },
    body: () => ({ is_primary: true }),
  },
  RemoveJobRole: {
    ...manager,
    path: { ...member, job_role_id: demo.jobRoleId('tower-technician-i') },
  },
  CreateCertificationType: { ...manager, body: newType },
  ListCertificationTypes: { ...manager, query: page },
  GetCertificationType: {
    ...manager,
    path: { ...organization, certification_type_id: demo.typeId('night-work') },
  },
  DiscoverCertificationType: {
    ...climber,
    path: { certification_type_id: demo.typeId('rf-awareness') },
  },
  CreateQualification: { ...manager, body: newQualification },
  ListQualifications: { ...manager, query: page },
  GetQualification: { ...manager, path: { ...organization, ...standardQualification } },
  DiscoverQualifications: { ...climber, query: { ...page, q: 'Climber' } },
  ListRequirements: { ...manager, path: { ...organization, ...standardQualification } },
  ReplaceRequirements: {
    ...manager,
    path: { ...organization, qualification_id: demo.qualificationId('night-crew') },
    body: () => ({
      requirements: [
        { certification_type_id: demo.typeId('osha-10'), is_required: true },
        { certification_type_id: demo.typeId('night-work'), is_required: false },
      ],
    }),
  },
  GetMyResult: { ...climber, path: standardQualification },
  ListResults: { ...manager, path: member, query: { limit: '3' } },
  GetMe: climber,
};

export interface Sample extends Case {
  readonly endpoint: Endpoint;
  /** `GET /v1/me` */
  readonly title: string;
}

/** Names of the properties of the endpoint's body, as REST has them. */
export function bodyProperties({ body }: Endpoint): string[] {
  const type = body && getNamedType(body.type);
  return isInputObjectType(type) ? Object.keys(type.getFields()).map(snakeCase) : [];
}

function toSample(endpoint: Endpoint): Sample {
  const { operation, method, path } = endpoint.route;
  const sample = cases[operation];
  if (!sample) throw new Error(`test/support/cases.ts has no request for ${operation}: add one.`);
  const wanted = endpoint.queryVariables
    .map(({ name }) => name)
    .filter((name) => name !== 'cursor');
  const missing = [
    ...endpoint.pathVariables.filter((name) => !(name in sample.path)),
    ...wanted.filter((name) => !(name in sample.query)),
    ...bodyProperties(endpoint).filter((name) => !(name in (sample.body?.() ?? {}))),
  ];
  if (missing.length > 0)
    throw new Error(`test/support/cases.ts, ${operation}: has no ${missing.join(', ')}.`);
  return { ...sample, endpoint, title: `${method} ${path}` };
}

/** Every route with its sample request. */
export const samples: readonly Sample[] = readEndpoints().map(toSample);

/** The address of a sample, with other path parameters or another query where given. */
export function addressOf(
  { endpoint, path, query }: Sample,
  other: { path?: object; query?: string } = {},
): string {
  const parameters: Record<string, string> = { ...path, ...other.path };
  const search = other.query ?? new URLSearchParams(query).toString();
  return (
    endpoint.route.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '') +
    (search && `?${search}`)
  );
}
