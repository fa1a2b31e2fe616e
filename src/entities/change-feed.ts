/** Kinds and record types of the change feed. */

export const changeKinds = ['created', 'updated', 'deleted'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The types of records that an organization owns. */
export const resourceTypes = [
  'certification',
  'organization_member',
  'certification_type',
  'qualification',
  'qualification_requirement',
  'job_role',
  'job_role_assignment',
  'organization',
] as const;
export type ResourceType = (typeof resourceTypes)[number];
