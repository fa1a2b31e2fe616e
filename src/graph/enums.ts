/** The enumerations, each value with the spelling of the specification inside and the GraphQL name outside: `self-reported`, `SELF_REPORTED`. */
import { registerEnumType } from 'type-graphql';
import { lifecycleStatuses, sources, validityStatuses, verificationStatuses } from '../entities/certification.js';
import { changeKinds, resourceTypes } from '../entities/change.js';
import { definitionScopes, definitionStatuses } from '../entities/definition.js';
import { actionKinds, missReasons } from '../entities/evaluation/explanation.js';
import { resultStatuses } from '../entities/evaluation/result.js';
import { memberStatuses } from '../entities/member.js';
import { upsertOutcomes } from '../entities/upsert/plan.js';

type EnumOf<Value extends string> = Record<string, Value>;

function enumOf<Value extends string>(
  name: string,
  description: string,
  values: readonly Value[],
  says: Record<Value, string>,
): EnumOf<Value> {
  const nameOf = (value: Value) => value.toUpperCase().replaceAll('-', '_');
  const members = Object.fromEntries(values.map((value) => [nameOf(value), value]));
  const valuesConfig = Object.fromEntries(values.map((value) => [nameOf(value), { description: says[value] }]));
  registerEnumType(members, { name, description, valuesConfig });
  return members;
}

export const OrganizationStatus = enumOf('OrganizationStatus', 'The state of an organization.', ['active', 'suspended'] as const, {
  active: 'In use.',
  suspended: 'Closed by the operator: nobody reaches it.',
});
export const MemberStatus = enumOf('MemberStatus', 'The state of a membership.', memberStatuses, {
  active: 'The person can sign in and act here.',
  invited: 'The person has not signed in yet.',
  suspended: 'The person reaches nothing here.',
});
export const LifecycleStatus = enumOf('LifecycleStatus', 'Where a certification record is in its life.', lifecycleStatuses, {
  active: 'In force.',
  revoked: 'Taken back; it never comes into force again.',
  archived: 'Put aside.',
});
export const VerificationStatus = enumOf('VerificationStatus', 'What checking a certification record found.', verificationStatuses, {
  unverified: 'Nobody has checked the record since it was last edited.',
  pending: 'A check is under way.',
  verified: 'The record was confirmed.',
  failed: 'The record could not be confirmed.',
});
export const ValidityStatus = enumOf('ValidityStatus', 'Whether a certification holds on a day (UTC), from its dates.', validityStatuses, {
  valid: 'It holds.',
  expiring: 'It holds, and ends within the expiring window (30 days unless configured).',
  expired: 'Its last day is past.',
  unknown: 'Its dates do not say.',
});
export const CertificationSource = enumOf('CertificationSource', 'How a certification record came in.', sources, {
  manual: 'Entered by a manager.',
  import: 'Loaded from a file.',
  api: 'Sent by an integration.',
  'self-reported': 'Entered by the holder; it counts only once verified.',
});
export const DefinitionScope = enumOf('DefinitionScope', 'Who can use a definition.', definitionScopes, {
  standard: 'Every organization: it is in the shared catalogue.',
  organization: 'The organization that owns it.',
});
export const DefinitionStatus = enumOf('DefinitionStatus', 'The state of a definition.', definitionStatuses, {
  active: 'In use.',
  archived: 'Kept for old records; not to be used for new ones.',
});
export const QualificationStatus = enumOf('QualificationStatus', 'Whether a member is qualified.', resultStatuses, {
  qualified: 'Every required certification is held, and at least one is required.',
  not_qualified: 'A required certification is missing, or none is required.',
});
export const MissReason = enumOf(
  'MissReason',
  'Why a record does not meet a requirement, from what is nearest to meeting it to what is farthest. Of several reasons the farthest is given.',
  missReasons,
  {
    not_verified: 'The holder reported it, and nobody has verified it.',
    verification_failed: 'It could not be confirmed.',
    dates_unknown: 'It has neither a day of issue nor a last day.',
    archived: 'It was put aside.',
    issued_in_future: 'Its day of issue is still to come.',
    expired: 'Its last day is past.',
    revoked: 'It was taken back.',
    none_held: 'There is no record of the type.',
  },
);
export const PreviewEffect = enumOf('PreviewEffect', 'What a change of requirements would do to a member.', ['gains', 'loses'] as const, {
  gains: 'The member would be qualified, and is not.',
  loses: 'The member is qualified, and would not be.',
});
export const QualificationActionKind = enumOf('QualificationActionKind', 'What can be done to meet a requirement.', actionKinds, {
  restore: 'Bring the archived record back into force.',
  enter_dates: 'Enter the day of issue and the last day.',
  verify: 'Have the record verified.',
  renew: 'Record a new certificate in place of the expired one.',
  obtain: 'Obtain and record a certificate.',
});
export const UpsertMode = enumOf('UpsertMode', 'What an upsert does when a row fails.', ['atomic', 'partial'] as const, {
  atomic: 'Nothing is written.',
  partial: 'The other rows are written.',
});
export const UpsertOutcome = enumOf('UpsertOutcome', 'What became of a row of an upsert.', upsertOutcomes, {
  created: 'It created a record.',
  updated: 'It changed a record.',
  unchanged: 'Its record already had these values.',
  failed: 'It was refused; see its problems.',
});
export const ChangeKind = enumOf('ChangeKind', 'What happened to a record.', changeKinds, {
  created: 'It was created.',
  updated: 'It was changed.',
  deleted: 'It was deleted: this is its tombstone.',
});
export const ResourceType = enumOf('ResourceType', 'The kinds of record that an organization owns.', resourceTypes, {
  certification: 'A certification record.',
  organization_member: 'A member.',
  certification_type: 'A certification type.',
  qualification: 'A qualification.',
  qualification_requirement: 'A requirement of a qualification.',
  job_role: 'A job role.',
  job_role_assignment: 'The assignment of a job role to a member.',
  organization: 'The organization itself.',
});
export const OrderDirection = enumOf('OrderDirection', 'Which end of an order comes first.', ['asc', 'desc'] as const, {
  asc: 'The least: the first letter, the earliest day.',
  desc: 'The greatest: the last letter, the latest day.',
});
export const OrganizationMemberOrderField = enumOf(
  'OrganizationMemberOrderField',
  'What members can be ordered by.',
  ['display_name', 'updated_at'] as const,
  {
    display_name: 'The name, in any case, by its first 60 letters.',
    updated_at: 'The last change.',
  },
);
export const CertificationOrderField = enumOf(
  'CertificationOrderField',
  'What certification records can be ordered by.',
  ['expires_on', 'issued_on', 'updated_at'] as const,
  {
    expires_on: 'The last day; a record without one ends after all others.',
    issued_on: 'The day of issue; a record without one was issued before all others.',
    updated_at: 'The last change.',
  },
);
