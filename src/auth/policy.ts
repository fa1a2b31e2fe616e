/**
 * Authorization, after authentication (principal.ts): whether this app may do this for this person
 * here. Predicates over a {@link Principal}; no database, no HTTP.
 */
import type { Check } from '../database/record-changes.js';
import { ApiError } from '../errors.js';
import type { ApiScope } from './scopes.js';

/** An active membership of the caller in an active organization. */
export interface Membership {
  readonly organizationId: string;
  readonly memberId: string;
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly isPrimary: boolean;
  /** The scopes that an admin there approved for the app, or null when it was never approved. */
  readonly approvedScopes: readonly string[] | null;
}

/** The principal of a request: a person, through an app, by one grant. */
export interface Principal {
  readonly grantId: string;
  /** The `jti` of the access token. */
  readonly tokenId: string;
  readonly userId: string;
  readonly email: string;
  /** False: the e-mail address was entered, but never verified. */
  readonly isProven: boolean;
  readonly displayName: string;
  readonly appId: string;
  readonly clientId: string;
  readonly appName: string;
  readonly isFirstParty: boolean;
  readonly apiScopes: readonly string[];
  readonly identityScopes: readonly string[];
  readonly memberships: readonly Membership[];
  /** That they may still write in an organization. */
  readonly writeCheck: Check;
}

/**
 * Admins and managers read and write all records of their organization; other members only their
 * own.
 */
export const isManager = ({ role }: Membership): boolean => role === 'admin' || role === 'manager';

/** Whether the member record is the caller's own, or the caller manages the organization. */
export const mayReachMember = (membership: Membership, memberId: string): boolean =>
  membership.memberId === memberId || isManager(membership);

/** @throws {ApiError} `insufficient_scope` with the first scope that the app lacks. */
export function requireScopes(principal: Principal, required: readonly ApiScope[]): void {
  for (const scope of required) {
    if (principal.apiScopes.includes(scope)) continue;
    const message = `The app needs the API scope ${scope}: add it to the app in the developer portal.`;
    throw new ApiError('insufficient_scope', message, { required_scope: scope });
  }
}

/** The app's scopes that are approved in the organization: requested now, and approved then. */
export const approvedScopes = (principal: Principal, membership: Membership): readonly string[] =>
  principal.isFirstParty
    ? principal.apiScopes
    : principal.apiScopes.filter((scope) => membership.approvedScopes?.includes(scope));

const approvalRequired = (scope: ApiScope): ApiError =>
  new ApiError(
    'approval_required',
    `An admin of the organization must approve ${scope} for this app first.`,
    { required_scope: scope },
  );

/** The organization that a document writes to, once it is known. */
export interface Written {
  organizationId?: string;
}

/** The data that a principal may access with the scopes of one operation. */
export class Access {
  /**
   * @param written The organization that the document writes to. Its mutations share a transaction,
   * which must not hold locks of one organization while it waits for another.
   */
  constructor(
    readonly principal: Principal,
    private readonly required: readonly ApiScope[],
    private readonly written?: Written,
  ) {}

  /** The first scope that awaits approval in the membership's organization. */
  private waiting(membership: Membership): ApiScope | undefined {
    const approved = approvedScopes(this.principal, membership);
    for (const scope of this.required) if (!approved.includes(scope)) return scope;
    return undefined;
  }

  /**
   * @throws {ApiError} `forbidden` when the person is not an active member; `approval_required`
   * when the app awaits approval there.
   */
  organization(id: string): Membership {
    let membership: Membership | undefined;
    for (const each of this.principal.memberships)
      if (each.organizationId === id) membership = each;
    if (!membership) throw new ApiError('forbidden');
    const waiting = this.waiting(membership);
    if (waiting) throw approvalRequired(waiting);
    if (this.written?.organizationId && this.written.organizationId !== id)
      throw new ApiError(
        'invalid_request',
        'A document can write in one organization: send the mutations for another in a request of their own.',
      );
    if (this.written) this.written.organizationId = id;
    return membership;
  }

  /**
   * @throws {ApiError} Like {@link organization}, and `forbidden` when the person does not manage
   * the organization.
   */
  managed(id: string): Membership {
    const membership = this.organization(id);
    if (!isManager(membership))
      throw new ApiError('forbidden', 'Only an admin or manager of the organization can do this.');
    return membership;
  }

  /**
   * @throws {ApiError} Like {@link organization}, and `forbidden` when the person is not an admin
   * of the organization.
   */
  administered(id: string): Membership {
    const membership = this.organization(id);
    if (membership.role !== 'admin')
      throw new ApiError('forbidden', 'Only an admin of the organization can do this.');
    return membership;
  }

  /**
   * @throws {ApiError} Like {@link organization}, and `forbidden` for another member when the
   * person does not manage the organization.
   */
  member(id: string, memberId: string): Membership {
    const membership = this.organization(id);
    if (!mayReachMember(membership, memberId)) throw new ApiError('forbidden');
    return membership;
  }

  /**
   * The memberships in organizations that approved the app.
   * @throws {ApiError} `approval_required` when the person has memberships, but no organization
   * approved the app.
   */
  organizations(): readonly Membership[] {
    const { memberships } = this.principal;
    const approved = this.approvedOrganizations();
    const [waiting] = memberships.map((membership) => this.waiting(membership));
    if (approved.length === 0 && waiting) throw approvalRequired(waiting);
    return approved;
  }

  /**
   * Like {@link organizations} without the error, for the shared catalogue, which needs no
   * approval.
   */
  approvedOrganizations(): readonly Membership[] {
    return this.principal.memberships.filter((membership) => !this.waiting(membership));
  }
}
