/** People who can get links from an admin: invited members, and members with a managed account. */
import {
  createInvitation,
  type InvitationLink,
  invitationLifetime,
} from '../../auth/accounts/invitations.js';
import { createManagedReset, type Link, lifetimeOf } from '../../auth/accounts/links.js';
import { isManagedBy } from '../../auth/accounts/management.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { requireAdmin } from '../organization.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { deliver } from '../sign-in/deliver.js';
import { type InvitedMember, type MadeLink, type ManagedMember, showMembers } from './page.js';

export const memberRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/organizations/:id/members', handler: (ctx) => show(ctx) },
  { method: 'POST', path: '/portal/organizations/:id/members/:member/link', handler: invite },
  { method: 'POST', path: '/portal/organizations/:id/members/:member/reset', handler: reset },
];

function memberOf(ctx: PortalContext): string {
  const memberId = uuidOf(ctx.params.member);
  if (!memberId)
    throw new ApiError(
      'not_found',
      'There is no such member. Go back, reload the page, and try again.',
    );
  return memberId;
}

async function invite(ctx: PortalContext): Promise<void> {
  const { organization, admin } = await requireAdmin(ctx);
  const { db, mailer, invitationLimiter } = ctx.state.portal;
  const key = { organizationId: organization.id, memberId: memberOf(ctx) };
  const [member] = await db.query<{ email: string }>(
    'select email from organization_members where organization_id = $1 and id = $2',
    [key.organizationId, key.memberId],
  );
  if (!member) throw new ApiError('not_found');
  await invitationLimiter.count(organization.id, member.email, mailer !== undefined);
  const { url, isMailed, email, displayName } = await send(ctx, admin, key);
  await show(ctx, {
    name: displayName || email,
    email,
    lifetime: invitationLifetime,
    ...(!isMailed && { url }),
  });
}

/**
 * Mails a link that no admin sees. If that fails, or there is no mail server, another link is
 * shown, which proves no address.
 */
async function send(
  ctx: PortalContext,
  admin: Actor,
  key: { organizationId: string; memberId: string },
): Promise<InvitationLink & { isMailed: boolean }> {
  const { db, config, mailer } = ctx.state.portal;
  if (mailer) {
    const link = await createInvitation(db, config, admin, key, 'mail');
    if (await deliver(ctx, link)) return { ...link, isMailed: true };
  }
  return { ...(await createInvitation(db, config, admin, key, 'admin')), isMailed: false };
}

async function reset(ctx: PortalContext): Promise<void> {
  const { organization, admin } = await requireAdmin(ctx);
  const { db, config } = ctx.state.portal;
  const link: Link = await createManagedReset(db, config, admin, organization.id, memberOf(ctx));
  await show(ctx, {
    name: link.displayName || link.email,
    email: link.email,
    lifetime: lifetimeOf('reset'),
    url: link.url,
  });
}

async function show(ctx: PortalContext, link?: MadeLink): Promise<void> {
  const { organization } = await requireAdmin(ctx);
  const { db } = ctx.state.portal;
  const [invited, managed] = await Promise.all([
    invitedOf(db, organization.id),
    managedOf(db, organization.id),
  ]);
  showMembers(ctx, organization, { invited, managed, link });
}

/** Maximum number of members on a page; the API has all. */
const maxListed = 1000;

const invitedOf = (db: Database, organizationId: string): Promise<InvitedMember[]> =>
  db.query(
    `select m.id, m.email, m.display_name as "displayName", m.role, m.created_at as "createdAt", i.expires_at as "linkUntil"
     from organization_members m
     left join invitations i on i.organization_id = m.organization_id and i.member_id = m.id and i.expires_at > now()
     where m.organization_id = $1 and m.status = 'invited' order by m.created_at, m.id limit ${maxListed}`,
    [organizationId],
  );

const managedOf = (db: Database, organizationId: string): Promise<ManagedMember[]> =>
  db.query(
    `select m.id, m.display_name as "displayName", m.role, u.email as "signInName"
     from organization_members m join users u on u.id = m.user_id and u.status = 'active'
     where m.organization_id = $1 and m.status = 'active' and ${isManagedBy('u', '$1')}
     order by lower(m.display_name), m.id limit ${maxListed}`,
    [organizationId],
  );
