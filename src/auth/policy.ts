/**
 * The second and third wall: may this app, for this person, do this here? Small predicates over a {@link Principal}; no database, no HTTP.
 * The first wall, the token, is principal.ts.
 */
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
  /** What an admin there approved for the app, or null when nobody ever did. */
  readonly approvedScopes: readonly string[] | null;
}

/** Who is asking: a person, through an app, by one grant. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string;
  readonly appId: string;
  readonly clientId: string;
  readonly appName: string;
  readonly isFirstParty: boolean;
  readonly apiScopes: readonly string[];
  readonly identityScopes: readonly string[];
  readonly memberships: readonly Membership[];
}

/** Admins and managers read and write all of their organization; anyone else only what is theirs. */
export const isManager = ({ role }: Membership): boolean => role === 'admin' || role === 'manager';

/** Whether the member record is the caller's own, or the caller manages the organization. */
export const mayReachMember = (membership: Membership, memberId: string): boolean =>
  membership.memberId === memberId || isManager(membership);

/** @throws {ApiError} `insufficient_scope` naming the first scope that the app lacks. */
export function requireScopes(principal: Principal, required: readonly ApiScope[]): void {
  const missing = required.find((scope) => !principal.apiScopes.includes(scope));
  if (missing) {
    throw new ApiError('insufficient_scope', `The app needs the API scope ${missing}: add it to the app in the developer portal.`, {
      required_scope: missing,
    });
  }
}

/** The scopes of the app that are approved in the membership's organization: those asked for now and approved then. */
export const approvedScopes = (principal: Principal, membership: Membership): readonly string[] =>
  principal.isFirstParty ? principal.apiScopes : principal.apiScopes.filter((scope) => membership.approvedScopes?.includes(scope));

const approvalRequired = (scope: ApiScope): ApiError =>
  new ApiError('approval_required', `An admin of the organization must approve ${scope} for this app first.`, { required_scope: scope });

/** What a principal may reach with the scopes of one operation. */
export class Access {
  constructor(
    readonly principal: Principal,
    private readonly required: readonly ApiScope[],
  ) {}

  /** The first scope that waits for approval in the membership's organization. */
  private waiting(membership: Membership): ApiScope | undefined {
    const approved = approvedScopes(this.principal, membership);
    return this.required.find((scope) => !approved.includes(scope));
  }

  /** @throws {ApiError} `forbidden` when the person is not an active member, `approval_required` when the app waits for approval there. */
  organization(id: string): Membership {
    const membership = this.principal.memberships.find(({ organizationId }) => organizationId === id);
    if (!membership) throw new ApiError('forbidden');
    const waiting = this.waiting(membership);
    if (waiting) throw approvalRequired(waiting);
    return membership;
  }

  /** @throws {ApiError} as {@link organization}, and `forbidden` when the person doesn't manage the organization. */
  managed(id: string): Membership {
    const membership = this.organization(id);
    if (!isManager(membership)) throw new ApiError('forbidden', 'This needs the role admin or manager in the organization.');
    return membership;
  }

  /** @throws {ApiError} as {@link organization}, and `forbidden` when the person is no admin of the organization. */
  administered(id: string): Membership {
    const membership = this.organization(id);
    if (membership.role !== 'admin') throw new ApiError('forbidden', 'This needs the role admin in the organization.');
    return membership;
  }

  /** @throws {ApiError} as {@link organization}, and `forbidden` when the member is another and the person doesn't manage the organization. */
  member(id: string, memberId: string): Membership {
    const membership = this.organization(id);
    if (!mayReachMember(membership, memberId)) throw new ApiError('forbidden');
    return membership;
  }

  /**
   * Where the person is a member and the app is approved.
   * @throws {ApiError} `approval_required` when the person has memberships, and the app is approved in none.
   */
  organizations(): readonly Membership[] {
    const { memberships } = this.principal;
    const approved = this.approvedOrganizations();
    const [waiting] = memberships.map((membership) => this.waiting(membership));
    if (approved.length === 0 && waiting) throw approvalRequired(waiting);
    return approved;
  }

  /** As {@link organizations}, without the error: for what the shared catalogue answers in any case. */
  approvedOrganizations(): readonly Membership[] {
    return this.principal.memberships.filter((membership) => !this.waiting(membership));
  }
}
