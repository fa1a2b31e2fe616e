/** Common parts of the pages for an organization's admins. */
import { administered } from '../auth/apps/approvals.js';
import type { Actor } from '../database/record-changes.js';
import { ApiError } from '../errors.js';
import { uuidOf } from '../http/form.js';
import { Tabs } from '../pages/tabs.js';
import { type PortalContext, requireUser } from './route.js';

export interface Organization {
  readonly id: string;
  readonly name: string;
}

/** The actor of a portal page, for the audit. @throws {SeeOther} to the sign-in page. */
export const actorOf = (ctx: PortalContext): Actor & { readonly userId: string } => ({
  userId: requireUser(ctx).id,
  appId: null,
  requestId: ctx.state.requestId,
});

/**
 * The organization of the path's `:id`, and the signed-in admin.
 * @throws {ApiError} `forbidden`.
 * @throws {SeeOther} to the sign-in page.
 */
export async function requireAdmin(
  ctx: PortalContext,
): Promise<{ organization: Organization; admin: Actor }> {
  const admin = actorOf(ctx);
  const id = uuidOf(ctx.params.id);
  if (!id)
    throw new ApiError(
      'not_found',
      'There is no such page. Check the address, or start from the portal.',
    );
  return { organization: await administered(ctx.state.portal.db, admin.userId, id), admin };
}

const pages = { approvals: 'App approvals', members: 'Members', audit: 'Audit log' };

export const pathOf = ({ id }: Organization, name: keyof typeof pages): string =>
  `/portal/organizations/${id}/${name}`;

export const OrganizationTabs = ({
  ctx,
  organization,
  current,
}: {
  ctx: PortalContext;
  organization: Organization;
  current: keyof typeof pages;
}) => (
  <Tabs
    ctx={ctx}
    title={organization.name}
    label="Organization"
    tabs={Object.entries(pages).map(([name, text]) => ({
      href: pathOf(organization, name as keyof typeof pages),
      text,
    }))}
    current={pathOf(organization, current)}
  />
);
