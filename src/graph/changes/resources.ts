/**
 * The record types of the change feed: audit subject, GraphQL type, read scope and source of the
 * current state.
 */
import type { ApiScope } from '../../auth/scopes.js';
import { type ResourceType, resourceTypes } from '../../entities/change-feed.js';
import { assignments } from '../assignments.js';
import { certifications } from '../certifications/reads.js';
import { kinds } from '../definitions/reads.js';
import { members } from '../members/reads.js';
import { organizations } from '../organizations.js';
import { requirements } from '../qualifications/requirements.js';
import type { Projection } from '../reads/projection.js';

export interface Resource {
  /** The `subjectType` of its audit events. */
  readonly subject: string;
  /** The GraphQL type of its records. */
  readonly record: string;
  readonly scope: ApiScope;
  readonly projection: Projection;
  /** The column of the organization. */
  readonly owner: string;
  /** The columns whose values, joined by slashes, are `subjectId` of its events. */
  readonly keys: readonly string[];
  /**
   * The alias of a definition's table: a standard definition is readable by all organizations.
   * Undefined for records that only their organization can read.
   */
  readonly shared?: string;
  /**
   * Determines the member whose own record it is; undefined when every member can read the type.
   */
  readonly holder?: {
    /** The column of the member. */
    readonly column: string;
    /**
     * SQL condition: the event `e` of organization $1 concerns a record that is or was member $4's
     * own.
     */
    readonly has: string;
  };
}

export const resources: Readonly<Record<ResourceType, Resource>> = {
  certification: {
    subject: 'Certification',
    record: 'Certification',
    scope: 'certification_records:read',
    projection: certifications,
    owner: 'c.organization_id',
    keys: ['c.id'],
    holder: {
      column: 'c.organization_member_id',
      has: `(e.changes -> 'organizationMemberId' ? $4::text or exists (
        select from certifications c where c.organization_id = $1 and c.id = e.subject_id::uuid and c.organization_member_id = $4::text::uuid))`,
    },
  },
  organization_member: {
    subject: 'OrganizationMember',
    record: 'OrganizationMember',
    scope: 'organization_members:read',
    projection: members,
    owner: 'm.organization_id',
    keys: ['m.id'],
    holder: { column: 'm.id', has: 'e.subject_id = $4::text' },
  },
  certification_type: {
    subject: 'CertificationType',
    record: 'CertificationType',
    scope: 'certification_types:read',
    projection: kinds.certificationTypes,
    owner: 'd.organization_id',
    keys: ['d.id'],
    shared: 'd',
  },
  qualification: {
    subject: 'Qualification',
    record: 'Qualification',
    scope: 'qualifications:read',
    projection: kinds.qualifications,
    owner: 'd.organization_id',
    keys: ['d.id'],
    shared: 'd',
  },
  qualification_requirement: {
    subject: 'QualificationRequirement',
    record: 'QualificationRequirement',
    scope: 'qualifications:read',
    projection: requirements,
    owner: 'r.organization_id',
    keys: ['r.qualification_id', 'r.certification_type_id'],
  },
  job_role: {
    subject: 'JobRole',
    record: 'JobRole',
    scope: 'job_roles:read',
    projection: kinds.jobRoles,
    owner: 'd.organization_id',
    keys: ['d.id'],
    shared: 'd',
  },
  job_role_assignment: {
    subject: 'MemberJobRole',
    record: 'JobRoleAssignment',
    scope: 'job_roles:read',
    projection: assignments,
    owner: 'a.organization_id',
    keys: ['a.organization_member_id', 'a.job_role_id'],
    holder: { column: 'a.organization_member_id', has: "e.subject_id like $4::text || '/%'" },
  },
  organization: {
    subject: 'Organization',
    record: 'Organization',
    scope: 'organizations:read',
    projection: organizations,
    owner: 'o.id',
    keys: ['o.id'],
  },
};

export const resourceTypeOf: ReadonlyMap<string, ResourceType> = new Map(
  resourceTypes.map((type) => [resources[type].subject, type]),
);
