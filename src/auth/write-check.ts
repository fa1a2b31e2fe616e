/** The check that a caller may still write in an organization, as a statement. */
import type { Check } from '../database/record-changes.js';
import type { Principal } from './policy.js';

/**
 * Returns one row while the token is valid, its app and person are active, and the caller's
 * membership of the organization, its role and the approval of the app are those of the
 * authorization; otherwise none. Without a membership (`$7`) only token, app and person count.
 */
const standing = `select from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid
    and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean
    and not exists (select from revoked_tokens r where r.jti = $6::text)
    and ($7::uuid is null or exists (
      select from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text
        and p.scopes is not distinct from $10::text[]))`;

export function standingOf(principal: Principal): Check {
  const { grantId, userId, appId, apiScopes, isFirstParty, tokenId, memberships } = principal;
  return {
    sql: standing,
    valuesFor(organizationId) {
      const { memberId, role, approvedScopes } =
        memberships.find((each) => each.organizationId === organizationId) ?? {};
      return [
        grantId,
        userId,
        appId,
        apiScopes,
        isFirstParty,
        tokenId,
        memberId,
        organizationId,
        role,
        approvedScopes,
      ];
    },
  };
}
