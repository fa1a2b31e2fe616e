/** SQL about sessions that MikroORM's builder cannot express: a session with all memberships. */
import type { Database } from '../../database/connection.js';
import type { Membership } from '../policy.js';

/** Idle and absolute timeouts of a session. */
export const idleHours = 12;
export const maxDays = 7;

/** @param sessions The table's name or alias in the statement. */
export const isLive = (sessions: string): string =>
  `${sessions}.seen_at > now() - interval '${idleHours} hours' and ${sessions}.created_at > now() - interval '${maxDays} days'`;

/** An active membership in an active organization; pages do not need the approvals of apps. */
export type WebMembership = Omit<Membership, 'approvedScopes'>;

export interface WebUser {
  readonly id: string;
  /** The sign-in name: the e-mail address, or `slug/address`. */
  readonly email: string;
  readonly displayName: string;
  readonly address: string;
  /** False: the e-mail address was entered, but never verified. */
  readonly isProven: boolean;
  readonly managedBy: string | null;
  readonly memberships: readonly WebMembership[];
}

interface FoundSession extends Omit<WebUser, 'id'> {
  readonly id: string;
  readonly signedInAt: string;
  readonly userId: string;
  /** Whether its last use was recorded more than a minute ago. */
  readonly isStale: boolean;
}

export async function findSession(
  db: Database,
  secretHash: Buffer,
): Promise<FoundSession | undefined> {
  const [row] = await db.query<FoundSession>(
    `select s.id, s.created_at as "signedInAt", s.seen_at < now() - interval '1 minute' as "isStale",
       u.id as "userId", u.email, u.display_name as "displayName",
       coalesce(u.address, u.email) as address, u.email_proven_at is not null as "isProven", u.managed_by as "managedBy",
       coalesce((
         select json_agg(json_build_object('organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role,
           'isPrimary', m.is_primary) order by m.is_primary desc, o.name)
         from organization_members m join organizations o on o.id = m.organization_id and o.status = 'active'
         where m.user_id = u.id and m.status = 'active'), '[]') as memberships
     from web_sessions s join users u on u.id = s.user_id and u.status = 'active'
     where s.secret_hash = $1 and ${isLive('s')}`,
    [secretHash],
  );
  return row;
}
