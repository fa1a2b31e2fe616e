/** Made from docs/dashboards.md and the schema by `npm run generate`. */
import type { Operation } from './types.js';

export interface WhyVariables {
  readonly organizationId: string;
  readonly memberId: string;
  readonly qualificationId: string;
}

export type WhyData = { readonly qualificationResult: { readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly since: string | null; readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly qualification: { readonly name: string }; readonly requirements: readonly ({ readonly isMet: boolean; readonly isRequired: boolean; readonly metUntil: string | null; readonly reason: ('NOT_VERIFIED' | 'VERIFICATION_FAILED' | 'DATES_UNKNOWN' | 'ARCHIVED' | 'ISSUED_IN_FUTURE' | 'EXPIRED' | 'REVOKED' | 'NONE_HELD') | null; readonly reasonDay: string | null; readonly certificationType: { readonly title: string }; readonly certification: { readonly id: string; readonly serialNumber: string | null; readonly expiresOn: string | null; readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED') } | null })[]; readonly actions: readonly ({ readonly kind: ('RESTORE' | 'ENTER_DATES' | 'VERIFY' | 'RENEW' | 'OBTAIN'); readonly certificationId: string | null; readonly certificationType: { readonly title: string } })[] } };

export const Why: Operation<WhyVariables, WhyData> = {
  name: 'Why',
  text: `query Why($organizationId: ID!, $memberId: ID!, $qualificationId: ID!) {
  qualificationResult(
    organizationId: $organizationId
    organizationMemberId: $memberId
    qualificationId: $qualificationId
  ) {
    status
    since
    metRequirementCount
    totalRequirementCount
    qualification {
      name
    }
    requirements {
      isMet
      isRequired
      metUntil
      reason
      reasonDay
      certificationType {
        title
      }
      certification {
        id
        serialNumber
        expiresOn
        verificationStatus
      }
    }
    actions {
      kind
      certificationId
      certificationType {
        title
      }
    }
  }
}`,
};

export interface ThenAndNowVariables {
  readonly organizationId: string;
  readonly memberId: string;
  readonly qualificationId: string;
  readonly past: string;
  readonly instant: string;
  readonly future: string;
}

export type ThenAndNowData = { readonly trueThen: { readonly asOf: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly missingCertificationTypeIds: readonly (string)[]; readonly requirements: readonly ({ readonly isMet: boolean; readonly reason: ('NOT_VERIFIED' | 'VERIFICATION_FAILED' | 'DATES_UNKNOWN' | 'ARCHIVED' | 'ISSUED_IN_FUTURE' | 'EXPIRED' | 'REVOKED' | 'NONE_HELD') | null; readonly reasonDay: string | null; readonly certificationType: { readonly title: string } })[] }; readonly knownThen: { readonly asOf: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly missingCertificationTypeIds: readonly (string)[]; readonly requirements: readonly ({ readonly isMet: boolean; readonly reason: ('NOT_VERIFIED' | 'VERIFICATION_FAILED' | 'DATES_UNKNOWN' | 'ARCHIVED' | 'ISSUED_IN_FUTURE' | 'EXPIRED' | 'REVOKED' | 'NONE_HELD') | null; readonly reasonDay: string | null; readonly certificationType: { readonly title: string } })[] }; readonly trueLater: { readonly asOf: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly missingCertificationTypeIds: readonly (string)[]; readonly requirements: readonly ({ readonly isMet: boolean; readonly reason: ('NOT_VERIFIED' | 'VERIFICATION_FAILED' | 'DATES_UNKNOWN' | 'ARCHIVED' | 'ISSUED_IN_FUTURE' | 'EXPIRED' | 'REVOKED' | 'NONE_HELD') | null; readonly reasonDay: string | null; readonly certificationType: { readonly title: string } })[] } };

export const ThenAndNow: Operation<ThenAndNowVariables, ThenAndNowData> = {
  name: 'ThenAndNow',
  text: `query ThenAndNow($organizationId: ID!, $memberId: ID!, $qualificationId: ID!, $past: Date!, $instant: DateTime!, $future: Date!) {
  trueThen: qualificationResult(
    organizationId: $organizationId
    organizationMemberId: $memberId
    qualificationId: $qualificationId
    asOf: $past
  ) {
    ...result
  }
  knownThen: qualificationResult(
    organizationId: $organizationId
    organizationMemberId: $memberId
    qualificationId: $qualificationId
    knownAt: $instant
  ) {
    ...result
  }
  trueLater: qualificationResult(
    organizationId: $organizationId
    organizationMemberId: $memberId
    qualificationId: $qualificationId
    asOf: $future
  ) {
    ...result
  }
}

fragment result on QualificationResult {
  asOf
  status
  missingCertificationTypeIds
  requirements {
    isMet
    reason
    reasonDay
    certificationType {
      title
    }
  }
}`,
};

export interface ForecastVariables {
  readonly organizationId: string;
  readonly days: number;
  readonly after?: string | null;
}

export type ForecastData = { readonly qualificationForecast: { readonly nodes: readonly ({ readonly lostOn: string; readonly regainedOn: string | null; readonly organizationMember: { readonly displayName: string; readonly email: string }; readonly qualification: { readonly name: string }; readonly through: readonly ({ readonly certificationId: string; readonly certificationType: { readonly title: string } })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Forecast: Operation<ForecastVariables, ForecastData> = {
  name: 'Forecast',
  text: `query Forecast($organizationId: ID!, $days: DayCount!, $after: String) {
  qualificationForecast(
    organizationId: $organizationId
    days: $days
    first: 50
    after: $after
  ) {
    nodes {
      lostOn
      regainedOn
      organizationMember {
        displayName
        email
      }
      qualification {
        name
      }
      through {
        certificationId
        certificationType {
          title
        }
      }
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface ReadinessVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly after?: string | null;
}

export type ReadinessData = { readonly readiness: { readonly asOf: string; readonly memberCount: number; readonly totals: readonly ({ readonly qualification: { readonly id: string; readonly name: string }; readonly qualifiedCount: number })[]; readonly members: { readonly nodes: readonly ({ readonly organizationMember: { readonly displayName: string }; readonly cells: readonly ({ readonly qualificationId: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly lostOn: string | null })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } } };

export const Readiness: Operation<ReadinessVariables, ReadinessData> = {
  name: 'Readiness',
  text: `query Readiness($organizationId: ID!, $jobRoleId: ID, $after: String) {
  readiness(organizationId: $organizationId, jobRoleId: $jobRoleId) {
    asOf
    memberCount
    totals {
      qualification {
        id
        name
      }
      qualifiedCount
    }
    members(first: 20, after: $after) {
      nodes {
        organizationMember {
          displayName
        }
        cells {
          qualificationId
          status
          metRequirementCount
          totalRequirementCount
          lostOn
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
}`,
};

export interface CrewVariables {
  readonly organizationId: string;
  readonly day: string;
  readonly needs: readonly ({ readonly qualificationId: string; readonly count: number })[];
}

export type CrewData = { readonly planCrew: { readonly isFilled: boolean; readonly missingCount: number; readonly needs: readonly ({ readonly qualification: { readonly name: string }; readonly count: number; readonly missingCount: number; readonly assigned: readonly ({ readonly organizationMember: { readonly displayName: string } })[]; readonly eligibleCount: number; readonly eligible: readonly ({ readonly organizationMember: { readonly displayName: string } })[] })[]; readonly shortage: { readonly explanation: string; readonly neededCount: number; readonly eligibleCount: number; readonly qualificationIds: readonly (string)[] } | null } };

export const Crew: Operation<CrewVariables, CrewData> = {
  name: 'Crew',
  text: `query Crew($organizationId: ID!, $day: Date!, $needs: [CrewNeed!]!) {
  planCrew(organizationId: $organizationId, day: $day, needs: $needs) {
    isFilled
    missingCount
    needs {
      qualification {
        name
      }
      count
      missingCount
      assigned {
        organizationMember {
          displayName
        }
      }
      eligibleCount
      eligible(first: 10) {
        organizationMember {
          displayName
        }
      }
    }
    shortage {
      explanation
      neededCount
      eligibleCount
      qualificationIds
    }
  }
}`,
};

export interface PreviewVariables {
  readonly organizationId: string;
  readonly qualificationId: string;
  readonly requirements: readonly ({ readonly certificationTypeId: string; readonly isRequired: boolean })[];
  readonly after?: string | null;
}

export type PreviewData = { readonly previewRequirements: { readonly qualifiedBefore: number; readonly qualifiedAfter: number; readonly gainCount: number; readonly lossCount: number; readonly changes: { readonly nodes: readonly ({ readonly effect: ('GAINS' | 'LOSES'); readonly organizationMember: { readonly displayName: string }; readonly missingCertificationTypeIds: readonly (string)[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } } };

export const Preview: Operation<PreviewVariables, PreviewData> = {
  name: 'Preview',
  text: `query Preview($organizationId: ID!, $qualificationId: ID!, $requirements: [RequirementInput!]!, $after: String) {
  previewRequirements(
    organizationId: $organizationId
    qualificationId: $qualificationId
    requirements: $requirements
  ) {
    qualifiedBefore
    qualifiedAfter
    gainCount
    lossCount
    changes(first: 20, after: $after) {
      nodes {
        effect
        organizationMember {
          displayName
        }
        missingCertificationTypeIds
      }
      pageInfo {
        nextCursor
      }
    }
  }
}`,
};

export interface CheckVariables {
  readonly organizationId: string;
  readonly id: string;
  readonly move?: { readonly reason?: string | null; readonly effectiveOn?: string | null } | null;
  readonly check: { readonly reason?: string | null; readonly effectiveOn?: string | null; readonly method: string };
}

export type CheckData = { readonly submitCertificationForVerification: { readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED') }; readonly verifyCertification: { readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED'); readonly verificationMethod: string | null; readonly lastVerifiedAt: string | null; readonly history: readonly ({ readonly recordedAt: string; readonly effectiveOn: string; readonly userDisplayName: string | null; readonly appName: string | null; readonly reason: string | null; readonly changes: readonly ({ readonly property: string; readonly from: string | null; readonly to: string | null })[] })[] } };

export const Check: Operation<CheckVariables, CheckData> = {
  name: 'Check',
  text: `mutation Check($organizationId: ID!, $id: ID!, $move: CertificationMove, $check: CertificationCheck!) {
  submitCertificationForVerification(
    organizationId: $organizationId
    id: $id
    input: $move
  ) {
    verificationStatus
  }
  verifyCertification(organizationId: $organizationId, id: $id, input: $check) {
    verificationStatus
    verificationMethod
    lastVerifiedAt
    history(first: 5) {
      recordedAt
      effectiveOn
      userDisplayName
      appName
      reason
      changes {
        property
        from
        to
      }
    }
  }
}`,
};

export interface RecallVariables {
  readonly organizationId: string;
  readonly input: { readonly reason: string; readonly effectiveOn?: string | null; readonly issuerName: string; readonly issuedFrom: string; readonly issuedUntil: string };
}

export type RecallData = { readonly revokeCertifications: { readonly dryRun: boolean; readonly revokedCount: number; readonly revokedIds: readonly (string)[]; readonly archivedIds: readonly (string)[] } };

export const Recall: Operation<RecallVariables, RecallData> = {
  name: 'Recall',
  text: `mutation Recall($organizationId: ID!, $input: CertificationBulkRevocation!) {
  revokeCertifications(
    organizationId: $organizationId
    dryRun: true
    input: $input
  ) {
    dryRun
    revokedCount
    revokedIds
    archivedIds
  }
}`,
};

export interface ThereAndBackVariables {
  readonly organizationId: string;
  readonly memberId: string;
  readonly jobRoleId: string;
}

export type ThereAndBackData = { readonly suspendOrganizationMember: { readonly status: ('ACTIVE' | 'INVITED' | 'SUSPENDED') }; readonly reinstateOrganizationMember: { readonly status: ('ACTIVE' | 'INVITED' | 'SUSPENDED') }; readonly archiveJobRole: { readonly status: ('ACTIVE' | 'ARCHIVED') }; readonly restoreJobRole: { readonly status: ('ACTIVE' | 'ARCHIVED') } };

export const ThereAndBack: Operation<ThereAndBackVariables, ThereAndBackData> = {
  name: 'ThereAndBack',
  text: `mutation ThereAndBack($organizationId: ID!, $memberId: ID!, $jobRoleId: ID!) {
  suspendOrganizationMember(
    organizationId: $organizationId
    id: $memberId
    reason: "Left the site without sign-out"
  ) {
    status
  }
  reinstateOrganizationMember(
    organizationId: $organizationId
    id: $memberId
    reason: "Talked to"
  ) {
    status
  }
  archiveJobRole(organizationId: $organizationId, id: $jobRoleId) {
    status
  }
  restoreJobRole(organizationId: $organizationId, id: $jobRoleId) {
    status
  }
}`,
};

export interface ImportVariables {
  readonly organizationId: string;
  readonly certifications: readonly ({ readonly externalId?: string | null; readonly externalSource?: string | null; readonly organizationMemberId?: string | null; readonly memberExternalId?: string | null; readonly memberEmail?: string | null; readonly certificationTypeId?: string | null; readonly certificationTypeSlug?: string | null; readonly issuedOn?: string | null; readonly expiresOn?: string | null; readonly issuerName?: string | null; readonly serialNumber?: string | null })[];
  readonly members: readonly ({ readonly externalId?: string | null; readonly email?: string | null; readonly displayName?: string | null; readonly firstName?: string | null; readonly lastName?: string | null; readonly role?: string | null })[];
}

export type ImportData = { readonly certifications: { readonly applied: boolean; readonly createdCount: number; readonly updatedCount: number; readonly unchangedCount: number; readonly failedCount: number; readonly rows: readonly ({ readonly index: number; readonly outcome: ('CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED'); readonly id: string | null; readonly problems: readonly ({ readonly path: string; readonly messages: readonly (string)[] })[] })[] }; readonly members: { readonly applied: boolean; readonly createdCount: number; readonly updatedCount: number; readonly unchangedCount: number; readonly failedCount: number; readonly rows: readonly ({ readonly index: number; readonly outcome: ('CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED'); readonly id: string | null; readonly problems: readonly ({ readonly path: string; readonly messages: readonly (string)[] })[] })[] } };

export const Import: Operation<ImportVariables, ImportData> = {
  name: 'Import',
  text: `mutation Import($organizationId: ID!, $certifications: [CertificationUpsert!]!, $members: [OrganizationMemberUpsert!]!) {
  certifications: upsertCertifications(
    organizationId: $organizationId
    rows: $certifications
    mode: PARTIAL
    dryRun: true
  ) {
    ...outcome
  }
  members: upsertMembers(
    organizationId: $organizationId
    rows: $members
    mode: PARTIAL
    dryRun: true
  ) {
    ...outcome
  }
}

fragment outcome on UpsertResult {
  applied
  createdCount
  updatedCount
  unchangedCount
  failedCount
  rows {
    index
    outcome
    id
    problems {
      path
      messages
    }
  }
}`,
};

export interface ChangesVariables {
  readonly organizationId: string;
  readonly after?: string | null;
  readonly resourceTypes?: readonly (('CERTIFICATION' | 'ORGANIZATION_MEMBER' | 'CERTIFICATION_TYPE' | 'QUALIFICATION' | 'QUALIFICATION_REQUIREMENT' | 'JOB_ROLE' | 'JOB_ROLE_ASSIGNMENT' | 'ORGANIZATION'))[] | null;
}

export type ChangesData = { readonly changes: { readonly nodes: readonly ({ readonly kind: ('CREATED' | 'UPDATED' | 'DELETED'); readonly resourceType: ('CERTIFICATION' | 'ORGANIZATION_MEMBER' | 'CERTIFICATION_TYPE' | 'QUALIFICATION' | 'QUALIFICATION_REQUIREMENT' | 'JOB_ROLE' | 'JOB_ROLE_ASSIGNMENT' | 'ORGANIZATION'); readonly resourceId: string; readonly changedAt: string; readonly changedProperties: readonly (string)[]; readonly record: { readonly __typename: 'Certification'; readonly lifecycleStatus: ('ACTIVE' | 'REVOKED' | 'ARCHIVED'); readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED'); readonly expiresOn: string | null; readonly organizationMemberId: string } | { readonly __typename: 'OrganizationMember'; readonly displayName: string; readonly memberStatus: ('ACTIVE' | 'INVITED' | 'SUSPENDED') } | { readonly __typename: 'CertificationType' | 'Qualification' | 'QualificationRequirement' | 'JobRole' | 'JobRoleAssignment' | 'Organization' } | null })[]; readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean } } };

export const Changes: Operation<ChangesVariables, ChangesData> = {
  name: 'Changes',
  text: `query Changes($organizationId: ID!, $after: String, $resourceTypes: [ResourceType!]) {
  changes(
    organizationId: $organizationId
    after: $after
    resourceTypes: $resourceTypes
    first: 100
  ) {
    nodes {
      kind
      resourceType
      resourceId
      changedAt
      changedProperties
      record {
        __typename
        ... on Certification {
          lifecycleStatus
          verificationStatus
          expiresOn
          organizationMemberId
        }
        ... on OrganizationMember {
          displayName
          memberStatus: status
        }
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}`,
};

export interface FollowVariables {
  readonly organizationId: string;
  readonly after?: string | null;
  readonly resourceTypes?: readonly (('CERTIFICATION' | 'ORGANIZATION_MEMBER' | 'CERTIFICATION_TYPE' | 'QUALIFICATION' | 'QUALIFICATION_REQUIREMENT' | 'JOB_ROLE' | 'JOB_ROLE_ASSIGNMENT' | 'ORGANIZATION'))[] | null;
}

export type FollowData = { readonly changes: { readonly nodes: readonly ({ readonly kind: ('CREATED' | 'UPDATED' | 'DELETED'); readonly resourceType: ('CERTIFICATION' | 'ORGANIZATION_MEMBER' | 'CERTIFICATION_TYPE' | 'QUALIFICATION' | 'QUALIFICATION_REQUIREMENT' | 'JOB_ROLE' | 'JOB_ROLE_ASSIGNMENT' | 'ORGANIZATION'); readonly resourceId: string; readonly changedAt: string; readonly record: { readonly __typename: 'Certification' | 'OrganizationMember' | 'CertificationType' | 'Qualification' | 'QualificationRequirement' | 'JobRole' | 'JobRoleAssignment' | 'Organization' } | null })[]; readonly pageInfo: { readonly endCursor: string | null } } };

export const Follow: Operation<FollowVariables, FollowData> = {
  name: 'Follow',
  text: `subscription Follow($organizationId: ID!, $after: String, $resourceTypes: [ResourceType!]) {
  changes(
    organizationId: $organizationId
    after: $after
    resourceTypes: $resourceTypes
  ) {
    nodes {
      kind
      resourceType
      resourceId
      changedAt
      record {
        __typename
      }
    }
    pageInfo {
      endCursor
    }
  }
}`,
};

export interface CostVariables {
  readonly organizationId: string;
  readonly members: number;
  readonly records: number;
}

export type CostData = { readonly organizationMembers: { readonly nodes: readonly ({ readonly displayName: string; readonly certifications: { readonly nodes: readonly ({ readonly expiresOn: string | null; readonly certificationType: { readonly title: string } })[] } })[] } };

export const Cost: Operation<CostVariables, CostData> = {
  name: 'Cost',
  text: `query Cost($organizationId: ID!, $members: Int!, $records: Int!) {
  organizationMembers(organizationId: $organizationId, first: $members) {
    nodes {
      displayName
      certifications(first: $records) {
        nodes {
          expiresOn
          certificationType {
            title
          }
        }
      }
    }
  }
}`,
};

export interface MembersVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly q?: string | null;
  readonly after?: string | null;
}

export type MembersData = { readonly organizationMembers: { readonly totalCount: number; readonly nodes: readonly ({ readonly id: string; readonly displayName: string; readonly email: string; readonly jobRoles: readonly ({ readonly isPrimary: boolean; readonly jobRole: { readonly name: string } })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Members: Operation<MembersVariables, MembersData> = {
  name: 'Members',
  text: `query Members($organizationId: ID!, $jobRoleId: ID, $q: Text, $after: String) {
  organizationMembers(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    status: ACTIVE
    q: $q
    orderBy: {field: DISPLAY_NAME}
    first: 20
    after: $after
  ) {
    totalCount
    nodes {
      id
      displayName
      email
      jobRoles {
        isPrimary
        jobRole {
          name
        }
      }
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface EndingVariables {
  readonly organizationId: string;
  readonly from?: string | null;
  readonly until?: string | null;
  readonly jobRoleId?: string | null;
  readonly after?: string | null;
}

export type EndingData = { readonly certifications: { readonly totalCount: number; readonly nodes: readonly ({ readonly id: string; readonly expiresOn: string | null; readonly validityStatus: ('VALID' | 'EXPIRING' | 'EXPIRED' | 'UNKNOWN'); readonly certificationType: { readonly title: string }; readonly organizationMember: { readonly displayName: string } })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Ending: Operation<EndingVariables, EndingData> = {
  name: 'Ending',
  text: `query Ending($organizationId: ID!, $from: Date, $until: Date, $jobRoleId: ID, $after: String) {
  certifications(
    organizationId: $organizationId
    lifecycleStatus: ACTIVE
    expiresFrom: $from
    expiresUntil: $until
    jobRoleId: $jobRoleId
    orderBy: {field: EXPIRES_ON, direction: ASC}
    first: 20
    after: $after
  ) {
    totalCount
    nodes {
      id
      expiresOn
      validityStatus
      certificationType {
        title
      }
      organizationMember {
        displayName
      }
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface PageVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly first: number;
  readonly after?: string | null;
}

export type PageData = { readonly organizationMembers: { readonly nodes: readonly ({ readonly displayName: string })[]; readonly pageInfo: { readonly hasNextPage: boolean; readonly nextCursor: string | null } } };

export const Page: Operation<PageVariables, PageData> = {
  name: 'Page',
  text: `query Page($organizationId: ID!, $jobRoleId: ID, $first: Int!, $after: String) {
  organizationMembers(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    first: $first
    after: $after
  ) {
    nodes {
      displayName
    }
    pageInfo {
      hasNextPage
      nextCursor
    }
  }
}`,
};
