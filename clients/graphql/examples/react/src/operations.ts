/**
 * The operations of this page. `Operation` has the types of variables and data; a generator can
 * write them from `@lanyard/graphql/schema.graphql`.
 */
import type { Operation } from '@lanyard/graphql';

interface Account {
  readonly me: {
    readonly user: { readonly displayName: string };
    readonly organizations: readonly { readonly id: string; readonly name: string }[];
  };
}

export const Account: Operation<object, Account> = {
  name: 'Account',
  text: `query Account {
    me {
      user { displayName }
      organizations { id name }
    }
  }`,
};

interface JobRoles {
  readonly jobRoles: {
    readonly nodes: readonly { readonly id: string; readonly name: string }[];
  };
}

export const JobRoles: Operation<{ readonly organizationId: string }, JobRoles> = {
  name: 'JobRoles',
  text: `query JobRoles($organizationId: ID!) {
    jobRoles(organizationId: $organizationId, first: 200) {
      nodes { id name }
    }
  }`,
};

export interface ExpiringVariables {
  readonly organizationId: string;
  readonly from?: string | null;
  readonly until?: string | null;
  readonly jobRoleId?: string | null;
  readonly q?: string | null;
  readonly direction: 'ASC' | 'DESC';
  readonly after?: string | null;
}

export interface Certification {
  readonly id: string;
  readonly expiresOn: string | null;
  readonly validityStatus: 'VALID' | 'EXPIRING' | 'EXPIRED' | 'UNKNOWN';
  readonly verificationStatus: 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'FAILED';
  readonly issuerName: string | null;
  readonly certificationType: { readonly title: string };
  readonly organizationMember: { readonly displayName: string; readonly email: string };
}

export interface Expiring {
  readonly certifications: {
    readonly totalCount: number;
    readonly nodes: readonly Certification[];
    readonly pageInfo: { readonly nextCursor: string | null };
  };
}

/** The number of records in one page of {@link Expiring}. */
export const pageSize = 15;

export const Expiring: Operation<ExpiringVariables, Expiring> = {
  name: 'Expiring',
  text: `query Expiring(
    $organizationId: ID!, $from: Date, $until: Date, $jobRoleId: ID, $q: Text,
    $direction: OrderDirection!, $after: String
  ) {
    certifications(
      organizationId: $organizationId
      lifecycleStatus: ACTIVE
      expiresFrom: $from
      expiresUntil: $until
      jobRoleId: $jobRoleId
      q: $q
      orderBy: { field: EXPIRES_ON, direction: $direction }
      first: ${pageSize}
      after: $after
    ) {
      totalCount
      nodes {
        id
        expiresOn
        validityStatus
        verificationStatus
        issuerName
        certificationType { title }
        organizationMember { displayName email }
      }
      pageInfo { nextCursor }
    }
  }`,
};
