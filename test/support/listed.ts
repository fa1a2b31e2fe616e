/**
 * The lists that page by (updated_at, id), each as one person sees it, with what the database has
 * of it.
 */
import type { EntityClass } from '@mikro-orm/core';
import type { Change } from '../../src/database/record-changes.js';
import { Certification } from '../../src/entities/certification.js';
import { CertificationType, JobRole, Qualification } from '../../src/entities/definition.js';
import { OrganizationMember } from '../../src/entities/member.js';
import { Organization } from '../../src/entities/organization.js';
import type { TestApp } from './app.js';
import { newCertification, newCertificationType, touch } from './changes.js';
import {
  bothEmail,
  catalogueId,
  climberEmail,
  harborId,
  managerEmail,
  memberId,
  skyline,
  skylineId,
} from './names.js';

export interface Listed {
  readonly path: string;
  readonly email: string;
  readonly entity: EntityClass<object>;
  /** The rows of the list, as SQL: `table where …`. */
  readonly rows: string;
  /** The GraphQL root field with its arguments. */
  readonly field: string;
  /** A new record of the list. */
  readonly add?: () => Change;
}

const usableBy = (...ids: string[]) =>
  `(scope = 'standard' or organization_id in (${ids.map((id) => `'${id}'`)}))`;
const climberRows = `organization_id = '${skylineId}' and organization_member_id = '${memberId(climberEmail)}'`;
const bothRows = `organization_member_id in ('${memberId(bothEmail)}', '${memberId(bothEmail, 'harbor-fiber')}')`;
const turns = (...changes: (() => Change)[]) => {
  let turn = 0;
  return () => (changes[turn++ % changes.length] as () => Change)();
};

export const lists: readonly Listed[] = [
  {
    path: `${skyline}/certifications?organization_member_id=${memberId(climberEmail)}`,
    email: managerEmail,
    entity: Certification,
    rows: `certifications where ${climberRows}`,
    field: `certifications(organizationId: "${skylineId}", organizationMemberId: "${memberId(climberEmail)}"`,
    add: () => newCertification(skylineId, memberId(climberEmail)),
  },
  {
    path: '/v1/certifications',
    email: bothEmail,
    entity: Certification,
    rows: `certifications where ${bothRows}`,
    field: 'myCertifications(',
    add: turns(
      () => newCertification(skylineId, memberId(bothEmail)),
      () => newCertification(harborId, memberId(bothEmail, 'harbor-fiber')),
    ),
  },
  {
    path: `${skyline}/certification-types`,
    email: managerEmail,
    entity: CertificationType,
    rows: `certification_types where ${usableBy(skylineId)}`,
    field: `certificationTypes(organizationId: "${skylineId}"`,
    add: turns(
      () => newCertificationType(skylineId),
      () => newCertificationType(catalogueId),
    ),
  },
  {
    path: '/v1/organizations',
    email: bothEmail,
    entity: Organization,
    rows: `organizations where id in ('${skylineId}', '${harborId}')`,
    field: 'organizations(',
  },
  {
    path: `${skyline}/organization-members`,
    email: managerEmail,
    entity: OrganizationMember,
    rows: `organization_members where organization_id = '${skylineId}'`,
    field: `organizationMembers(organizationId: "${skylineId}"`,
  },
  {
    path: '/v1/qualifications',
    email: bothEmail,
    entity: Qualification,
    rows: `qualifications where ${usableBy(skylineId, harborId)}`,
    field: 'qualifications(',
  },
  {
    path: `${skyline}/job-roles`,
    email: managerEmail,
    entity: JobRole,
    rows: `job_roles where ${usableBy(skylineId)}`,
    field: `jobRoles(organizationId: "${skylineId}"`,
  },
];

export interface Stored {
  readonly id: string;
  readonly organizationId: string;
  readonly updatedAt: string;
}

/** What the list must have, in its order. */
export const storedOf = (
  { db }: TestApp,
  { entity, rows }: Pick<Listed, 'entity' | 'rows'>,
): Promise<Stored[]> => {
  const owner = entity === Organization ? 'id' : 'organization_id';
  return db.query(
    `select id, ${owner} as "organizationId", updated_at as "updatedAt" from ${rows} order by updated_at, id`,
  );
};

/** The change of a stored row's stamp alone. */
export function touchStored({ db }: TestApp, { entity }: Listed, row: Stored): Change {
  const { primaryKeys } = db.em.getMetadata().get<Stored>(entity);
  const key = Object.fromEntries(primaryKeys.map((name) => [name, row[name]]));
  return touch({ organizationId: row.organizationId, entity, key });
}
