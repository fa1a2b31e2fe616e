/** The enumerations of the schema. */
import { changeKinds, resourceTypes } from '../entities/change-feed.js';
import { actionKinds, missReasons } from '../rules/evaluation/explanation.js';
import { resultStatuses } from '../rules/evaluation/result.js';
import { upsertOutcomes } from '../rules/upsert/plan.js';
import { enumOf } from '../scalars/enum-of.js';

export const QualificationStatus = enumOf(
  'QualificationStatus',
  'The status of a member for a qualification.',
  resultStatuses,
  {
    qualified: 'The member holds every required certification, and at least one is required.',
    not_qualified: 'The member lacks a required certification, or the qualification requires none.',
  },
);
export const MissReason = enumOf(
  'MissReason',
  'Why a record does not meet a requirement. The values are ordered from the nearest miss to the farthest; if several apply, the farthest is returned.',
  missReasons,
  {
    not_verified: 'The record is self-reported and not verified.',
    verification_failed: 'Verification of the record failed.',
    dates_unknown: 'The record has neither a day of issue nor a last day.',
    archived: 'The record is archived.',
    issued_in_future: 'The day of issue is in the future.',
    expired: 'Its last day is past.',
    revoked: 'The certification was revoked.',
    none_held: 'The member has no record of the certification type.',
  },
);
export const PreviewEffect = enumOf(
  'PreviewEffect',
  'The effect of a change of requirements on a member.',
  ['gains', 'loses'] as const,
  {
    gains: 'The member is not qualified and would become qualified.',
    loses: 'The member is qualified and would no longer be.',
  },
);
export const QualificationActionKind = enumOf(
  'QualificationActionKind',
  'An action that helps to meet a requirement.',
  actionKinds,
  {
    restore: 'Restore the archived record.',
    enter_dates: 'Enter the day of issue and the last day.',
    verify: 'Have the record verified.',
    renew: 'Record a new certificate in place of the expired one.',
    obtain: 'Obtain and record a certificate.',
  },
);
export const UpsertMode = enumOf(
  'UpsertMode',
  'How an upsert handles rows that fail.',
  ['atomic', 'partial'] as const,
  {
    atomic: 'No row is written when a row fails.',
    partial: 'The rows that do not fail are written.',
  },
);
export const UpsertOutcome = enumOf(
  'UpsertOutcome',
  'The outcome of one row of an upsert.',
  upsertOutcomes,
  {
    created: 'The row created a record.',
    updated: 'The row changed a record.',
    unchanged: 'The record already had these values and was not changed.',
    failed: 'The row was rejected; its problems say why.',
  },
);
export const ChangeKind = enumOf('ChangeKind', 'The kind of change of a record.', changeKinds, {
  created: 'The record was created.',
  updated: 'The record was changed.',
  deleted: 'The record was deleted; the change is its tombstone.',
});
export const ResourceType = enumOf(
  'ResourceType',
  'The types of records that an organization owns.',
  resourceTypes,
  {
    certification: 'A certification record.',
    organization_member: 'A membership.',
    certification_type: 'A certification type.',
    qualification: 'A qualification.',
    qualification_requirement: 'A requirement of a qualification.',
    job_role: 'A job role.',
    job_role_assignment: 'The assignment of a job role to a member.',
    organization: 'The organization itself.',
  },
);
export const OrderDirection = enumOf(
  'OrderDirection',
  'The direction of an order.',
  ['asc', 'desc'] as const,
  {
    asc: 'Ascending: the first letter or the earliest day first.',
    desc: 'Descending: the last letter or the latest day first.',
  },
);
export const OrganizationMemberOrderField = enumOf(
  'OrganizationMemberOrderField',
  'The sort keys of members.',
  ['display_name', 'updated_at'] as const,
  {
    display_name: 'The first 60 characters of the display name. Case-insensitive.',
    updated_at: 'The time of the last change.',
  },
);
export const CertificationOrderField = enumOf(
  'CertificationOrderField',
  'The sort keys of certification records.',
  ['expires_on', 'issued_on', 'updated_at'] as const,
  {
    expires_on: 'The last day. Records without one sort after all others.',
    issued_on: 'The day of issue. Records without one sort before all others.',
    updated_at: 'The time of the last change.',
  },
);
