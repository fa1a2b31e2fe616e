/** SQL of the consent page: nested aggregates that MikroORM's builder cannot express. */
import type { ApiScope } from '../../auth/scopes.js';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';

/** The approval of the app by an organization of the person. */
export interface OrganizationConsent {
  readonly organizationId: string;
  readonly name: string;
  readonly role: string;
  /** Null when it was never approved, or when the approval was revoked. */
  readonly approvedAt: string | null;
  readonly approvedBy: string | null;
  /** The scopes of the app that are approved here. */
  readonly approvedScopes: readonly ApiScope[];
}

export interface Consent {
  readonly isFirstParty: boolean;
  readonly apiScopes: readonly ApiScope[];
  /** The person who registered the app; null for the operator of the server. */
  readonly owner: { readonly name: string; readonly email: string } | null;
  readonly organizations: readonly OrganizationConsent[];
}

export async function readConsent(
  db: Database,
  clientId: string,
  userId: string,
): Promise<Consent> {
  const [row] = await db.query<Consent>(
    `select a.is_first_party as "isFirstParty", a.api_scopes as "apiScopes",
       (select json_build_object('name', coalesce(nullif(u.display_name, ''), u.email), 'email', u.email) from users u where u.id = a.owner_id) as owner,
       coalesce((
         select json_agg(json_build_object('organizationId', o.id, 'name', o.name, 'role', m.role,
           'approvedAt', case when p.scopes <> '{}' then p.approved_at end,
           'approvedBy', coalesce(nullif(u.display_name, ''), u.email),
           'approvedScopes', array(select s from unnest(a.api_scopes) s where s = any(p.scopes)))
           order by m.is_primary desc, o.name)
         from organization_members m
         join organizations o on o.id = m.organization_id and o.status = 'active'
         left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
         left join users u on u.id = p.approved_by
         where m.user_id = $2 and m.status = 'active'), '[]') as organizations
     from apps a where a.client_id = $1`,
    [clientId, userId],
  );
  if (!row) throw new ApiError('not_found', 'This app is no longer registered.');
  return row;
}
