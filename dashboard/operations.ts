/** Made from operations/*.graphql and the schema by `npm run generate`. */
import type { Operation } from './api.js';

export interface CrewVariables {
  readonly organizationId: string;
  readonly day: string;
  readonly needs: readonly ({ readonly qualificationId: string; readonly count: number })[];
}

export type CrewData = { readonly planCrew: { readonly day: string; readonly isFilled: boolean; readonly missingCount: number; readonly needs: readonly ({ readonly qualificationId: string; readonly count: number; readonly missingCount: number; readonly eligibleCount: number; readonly qualification: { readonly name: string }; readonly assigned: readonly ({ readonly organizationMemberId: string; readonly organizationMember: { readonly displayName: string } })[]; readonly eligible: readonly ({ readonly organizationMemberId: string; readonly organizationMember: { readonly displayName: string } })[] })[]; readonly shortage: { readonly neededCount: number; readonly eligibleCount: number; readonly qualificationIds: readonly (string)[] } | null } };

export const Crew: Operation<CrewVariables, CrewData> = {
  name: 'Crew',
  text: `query Crew($organizationId: ID!, $day: Date!, $needs: [CrewNeed!]!) {
  planCrew(organizationId: $organizationId, day: $day, needs: $needs) {
    day
    isFilled
    missingCount
    needs {
      qualificationId
      count
      missingCount
      eligibleCount
      qualification {
        name
      }
      assigned {
        organizationMemberId
        organizationMember {
          displayName
        }
      }
      eligible(first: 25) {
        organizationMemberId
        organizationMember {
          displayName
        }
      }
    }
    shortage {
      neededCount
      eligibleCount
      qualificationIds
    }
  }
}`,
};

export interface ExpiryCountsVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly from0: string;
  readonly until0: string;
  readonly from1: string;
  readonly until1: string;
  readonly from2: string;
  readonly until2: string;
  readonly from3: string;
  readonly until3: string;
  readonly from4: string;
  readonly until4: string;
  readonly from5: string;
  readonly until5: string;
  readonly from6: string;
  readonly until6: string;
  readonly from7: string;
  readonly until7: string;
  readonly from8: string;
  readonly until8: string;
  readonly from9: string;
  readonly until9: string;
  readonly from10: string;
  readonly until10: string;
  readonly from11: string;
  readonly until11: string;
  readonly from12: string;
  readonly until12: string;
}

export type ExpiryCountsData = { readonly week0: { readonly totalCount: number }; readonly week1: { readonly totalCount: number }; readonly week2: { readonly totalCount: number }; readonly week3: { readonly totalCount: number }; readonly week4: { readonly totalCount: number }; readonly week5: { readonly totalCount: number }; readonly week6: { readonly totalCount: number }; readonly week7: { readonly totalCount: number }; readonly week8: { readonly totalCount: number }; readonly week9: { readonly totalCount: number }; readonly week10: { readonly totalCount: number }; readonly week11: { readonly totalCount: number }; readonly week12: { readonly totalCount: number } };

export const ExpiryCounts: Operation<ExpiryCountsVariables, ExpiryCountsData> = {
  name: 'ExpiryCounts',
  text: `query ExpiryCounts($organizationId: ID!, $jobRoleId: ID, $from0: Date!, $until0: Date!, $from1: Date!, $until1: Date!, $from2: Date!, $until2: Date!, $from3: Date!, $until3: Date!, $from4: Date!, $until4: Date!, $from5: Date!, $until5: Date!, $from6: Date!, $until6: Date!, $from7: Date!, $until7: Date!, $from8: Date!, $until8: Date!, $from9: Date!, $until9: Date!, $from10: Date!, $until10: Date!, $from11: Date!, $until11: Date!, $from12: Date!, $until12: Date!) {
  week0: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from0
    expiresUntil: $until0
    first: 1
  ) {
    totalCount
  }
  week1: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from1
    expiresUntil: $until1
    first: 1
  ) {
    totalCount
  }
  week2: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from2
    expiresUntil: $until2
    first: 1
  ) {
    totalCount
  }
  week3: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from3
    expiresUntil: $until3
    first: 1
  ) {
    totalCount
  }
  week4: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from4
    expiresUntil: $until4
    first: 1
  ) {
    totalCount
  }
  week5: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from5
    expiresUntil: $until5
    first: 1
  ) {
    totalCount
  }
  week6: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from6
    expiresUntil: $until6
    first: 1
  ) {
    totalCount
  }
  week7: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from7
    expiresUntil: $until7
    first: 1
  ) {
    totalCount
  }
  week8: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from8
    expiresUntil: $until8
    first: 1
  ) {
    totalCount
  }
  week9: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from9
    expiresUntil: $until9
    first: 1
  ) {
    totalCount
  }
  week10: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from10
    expiresUntil: $until10
    first: 1
  ) {
    totalCount
  }
  week11: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from11
    expiresUntil: $until11
    first: 1
  ) {
    totalCount
  }
  week12: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from12
    expiresUntil: $until12
    first: 1
  ) {
    totalCount
  }
}`,
};

export interface ExpiriesVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly from: string;
  readonly until: string;
  readonly after?: string | null;
}

export type ExpiriesData = { readonly certifications: { readonly nodes: readonly ({ readonly id: string; readonly expiresOn: string | null; readonly issuerName: string | null; readonly certificationType: { readonly title: string }; readonly organizationMember: { readonly id: string; readonly displayName: string } })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Expiries: Operation<ExpiriesVariables, ExpiriesData> = {
  name: 'Expiries',
  text: `query Expiries($organizationId: ID!, $jobRoleId: ID, $from: Date!, $until: Date!, $after: String) {
  certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from
    expiresUntil: $until
    orderBy: {field: EXPIRES_ON}
    first: 200
    after: $after
  ) {
    nodes {
      id
      expiresOn
      issuerName
      certificationType {
        title
      }
      organizationMember {
        id
        displayName
      }
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface LossesVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly asOf?: string | null;
  readonly after?: string | null;
}

export type LossesData = { readonly qualificationForecast: { readonly nodes: readonly ({ readonly lostOn: string; readonly regainedOn: string | null; readonly organizationMember: { readonly id: string; readonly displayName: string }; readonly qualification: { readonly id: string; readonly name: string }; readonly through: readonly ({ readonly certificationId: string; readonly certificationType: { readonly title: string } })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Losses: Operation<LossesVariables, LossesData> = {
  name: 'Losses',
  text: `query Losses($organizationId: ID!, $jobRoleId: ID, $asOf: Date, $after: String) {
  qualificationForecast(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    asOf: $asOf
    days: 91
    first: 200
    after: $after
  ) {
    nodes {
      lostOn
      regainedOn
      organizationMember {
        id
        displayName
      }
      qualification {
        id
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

export interface MeVariables {
}

export type MeData = { readonly me: { readonly user: { readonly displayName: string; readonly email: string }; readonly organizations: readonly ({ readonly id: string; readonly name: string; readonly role: string; readonly isPrimary: boolean; readonly organizationMemberId: string })[] } };

export const Me: Operation<MeVariables, MeData> = {
  name: 'Me',
  text: `query Me {
  me {
    user {
      displayName
      email
    }
    organizations {
      id
      name
      role
      isPrimary
      organizationMemberId
    }
  }
}`,
};

export interface ChoicesVariables {
  readonly organizationId: string;
}

export type ChoicesData = { readonly jobRoles: { readonly nodes: readonly ({ readonly id: string; readonly name: string; readonly status: ('ACTIVE' | 'ARCHIVED'); readonly qualifications: readonly ({ readonly id: string; readonly status: ('ACTIVE' | 'ARCHIVED') })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } }; readonly qualifications: { readonly nodes: readonly ({ readonly id: string; readonly name: string; readonly status: ('ACTIVE' | 'ARCHIVED') })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Choices: Operation<ChoicesVariables, ChoicesData> = {
  name: 'Choices',
  text: `query Choices($organizationId: ID!) {
  jobRoles(organizationId: $organizationId, first: 200) {
    nodes {
      id
      name
      status
      qualifications {
        id
        status
      }
    }
    pageInfo {
      nextCursor
    }
  }
  qualifications(organizationId: $organizationId, first: 200) {
    nodes {
      id
      name
      status
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface FindPeopleVariables {
  readonly organizationId: string;
  readonly q: string;
}

export type FindPeopleData = { readonly organizationMembers: { readonly nodes: readonly ({ readonly id: string; readonly displayName: string; readonly externalId: string; readonly email: string })[] } };

export const FindPeople: Operation<FindPeopleVariables, FindPeopleData> = {
  name: 'FindPeople',
  text: `query FindPeople($organizationId: ID!, $q: Text!) {
  organizationMembers(organizationId: $organizationId, q: $q, first: 20) {
    nodes {
      id
      displayName
      externalId
      email
    }
  }
}`,
};

export interface PersonVariables {
  readonly organizationId: string;
  readonly memberId: string;
  readonly asOf?: string | null;
  readonly after?: string | null;
}

export type PersonData = { readonly organizationMember: { readonly displayName: string; readonly email: string; readonly externalId: string; readonly role: string; readonly status: ('ACTIVE' | 'INVITED' | 'SUSPENDED'); readonly createdAt: string; readonly jobRoles: readonly ({ readonly isPrimary: boolean; readonly assignedAt: string; readonly jobRole: { readonly id: string; readonly name: string; readonly qualifications: readonly ({ readonly id: string })[] } })[]; readonly qualificationResults: { readonly nodes: readonly ({ readonly qualificationId: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly lostOn: string | null; readonly qualification: { readonly name: string } })[] }; readonly certifications: { readonly nodes: readonly ({ readonly id: string; readonly certificationType: { readonly title: string }; readonly serialNumber: string | null; readonly issuerName: string | null; readonly issuedOn: string | null; readonly expiresOn: string | null; readonly lifecycleStatus: ('ACTIVE' | 'REVOKED' | 'ARCHIVED'); readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED'); readonly validityStatus: ('VALID' | 'EXPIRING' | 'EXPIRED' | 'UNKNOWN'); readonly source: ('MANUAL' | 'IMPORT' | 'API' | 'SELF_REPORTED'); readonly history: readonly ({ readonly recordedAt: string; readonly effectiveOn: string; readonly userDisplayName: string | null; readonly appName: string | null; readonly reason: string | null; readonly changes: readonly ({ readonly property: string; readonly from: string | null; readonly to: string | null })[] })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } } };

export const Person: Operation<PersonVariables, PersonData> = {
  name: 'Person',
  text: `query Person($organizationId: ID!, $memberId: ID!, $asOf: Date, $after: String) {
  organizationMember(organizationId: $organizationId, id: $memberId) {
    displayName
    email
    externalId
    role
    status
    createdAt
    jobRoles {
      isPrimary
      assignedAt
      jobRole {
        id
        name
        qualifications {
          id
        }
      }
    }
    qualificationResults(first: 200, asOf: $asOf) {
      nodes {
        qualificationId
        status
        metRequirementCount
        totalRequirementCount
        lostOn
        qualification {
          name
        }
      }
    }
    certifications(first: 50, after: $after) {
      nodes {
        id
        certificationType {
          title
        }
        serialNumber
        issuerName
        issuedOn
        expiresOn
        lifecycleStatus
        verificationStatus
        validityStatus
        source
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
      pageInfo {
        nextCursor
      }
    }
  }
}`,
};

export interface UnverifiedVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly after?: string | null;
}

export type UnverifiedData = { readonly certifications: { readonly nodes: readonly ({ readonly id: string; readonly source: ('MANUAL' | 'IMPORT' | 'API' | 'SELF_REPORTED'); readonly serialNumber: string | null; readonly issuerName: string | null; readonly expiresOn: string | null; readonly createdAt: string; readonly certificationType: { readonly title: string }; readonly organizationMember: { readonly id: string; readonly displayName: string } })[]; readonly pageInfo: { readonly nextCursor: string | null } } };

export const Unverified: Operation<UnverifiedVariables, UnverifiedData> = {
  name: 'Unverified',
  text: `query Unverified($organizationId: ID!, $jobRoleId: ID, $after: String) {
  certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    verificationStatus: UNVERIFIED
    first: 200
    after: $after
  ) {
    nodes {
      id
      source
      serialNumber
      issuerName
      expiresOn
      createdAt
      certificationType {
        title
      }
      organizationMember {
        id
        displayName
      }
    }
    pageInfo {
      nextCursor
    }
  }
}`,
};

export interface ReadinessStartVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly qualificationIds?: readonly (string)[] | null;
  readonly asOf?: string | null;
}

export type ReadinessStartData = { readonly readiness: { readonly members: { readonly nodes: readonly ({ readonly organizationMember: { readonly id: string; readonly displayName: string }; readonly cells: readonly ({ readonly qualificationId: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly lostOn: string | null })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } } };

export const ReadinessStart: Operation<ReadinessStartVariables, ReadinessStartData> = {
  name: 'ReadinessStart',
  text: `query ReadinessStart($organizationId: ID!, $jobRoleId: ID, $qualificationIds: [ID!], $asOf: Date) {
  readiness(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    qualificationIds: $qualificationIds
    asOf: $asOf
  ) {
    members(first: 50) {
      nodes {
        organizationMember {
          id
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

export interface ReadinessVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly qualificationIds?: readonly (string)[] | null;
  readonly asOf?: string | null;
  readonly after?: string | null;
}

export type ReadinessData = { readonly readiness: { readonly members: { readonly nodes: readonly ({ readonly organizationMember: { readonly id: string; readonly displayName: string }; readonly cells: readonly ({ readonly qualificationId: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly lostOn: string | null })[] })[]; readonly pageInfo: { readonly nextCursor: string | null } } } };

export const Readiness: Operation<ReadinessVariables, ReadinessData> = {
  name: 'Readiness',
  text: `query Readiness($organizationId: ID!, $jobRoleId: ID, $qualificationIds: [ID!], $asOf: Date, $after: String) {
  readiness(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    qualificationIds: $qualificationIds
    asOf: $asOf
  ) {
    members(first: 200, after: $after) {
      nodes {
        organizationMember {
          id
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

export interface SummaryVariables {
  readonly organizationId: string;
  readonly jobRoleId?: string | null;
  readonly from: string;
  readonly until: string;
}

export type SummaryData = { readonly readiness: { readonly memberCount: number }; readonly expiring: { readonly totalCount: number }; readonly unverified: { readonly totalCount: number } };

export const Summary: Operation<SummaryVariables, SummaryData> = {
  name: 'Summary',
  text: `query Summary($organizationId: ID!, $jobRoleId: ID, $from: Date!, $until: Date!) {
  readiness(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    qualificationIds: []
  ) {
    memberCount
  }
  expiring: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    expiresFrom: $from
    expiresUntil: $until
    first: 1
  ) {
    totalCount
  }
  unverified: certifications(
    organizationId: $organizationId
    jobRoleId: $jobRoleId
    lifecycleStatus: ACTIVE
    verificationStatus: UNVERIFIED
    first: 1
  ) {
    totalCount
  }
}`,
};

export interface WhyVariables {
  readonly organizationId: string;
  readonly memberId: string;
  readonly qualificationId: string;
  readonly asOf?: string | null;
}

export type WhyData = { readonly organizationMember: { readonly displayName: string }; readonly qualificationResult: { readonly asOf: string; readonly status: ('QUALIFIED' | 'NOT_QUALIFIED'); readonly since: string | null; readonly lostOn: string | null; readonly metRequirementCount: number; readonly totalRequirementCount: number; readonly qualification: { readonly name: string }; readonly requirements: readonly ({ readonly isMet: boolean; readonly isRequired: boolean; readonly metUntil: string | null; readonly reason: ('NOT_VERIFIED' | 'VERIFICATION_FAILED' | 'DATES_UNKNOWN' | 'ARCHIVED' | 'ISSUED_IN_FUTURE' | 'EXPIRED' | 'REVOKED' | 'NONE_HELD') | null; readonly reasonDay: string | null; readonly certificationType: { readonly id: string; readonly title: string }; readonly certification: { readonly id: string; readonly serialNumber: string | null; readonly issuerName: string | null; readonly issuedOn: string | null; readonly expiresOn: string | null; readonly verificationStatus: ('UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED') } | null })[]; readonly actions: readonly ({ readonly kind: ('RESTORE' | 'ENTER_DATES' | 'VERIFY' | 'RENEW' | 'OBTAIN'); readonly certificationType: { readonly id: string; readonly title: string }; readonly certification: { readonly serialNumber: string | null } | null })[] } };

export const Why: Operation<WhyVariables, WhyData> = {
  name: 'Why',
  text: `query Why($organizationId: ID!, $memberId: ID!, $qualificationId: ID!, $asOf: Date) {
  organizationMember(organizationId: $organizationId, id: $memberId) {
    displayName
  }
  qualificationResult(
    organizationId: $organizationId
    organizationMemberId: $memberId
    qualificationId: $qualificationId
    asOf: $asOf
  ) {
    asOf
    status
    since
    lostOn
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
        id
        title
      }
      certification {
        id
        serialNumber
        issuerName
        issuedOn
        expiresOn
        verificationStatus
      }
    }
    actions {
      kind
      certificationType {
        id
        title
      }
      certification {
        serialNumber
      }
    }
  }
}`,
};
