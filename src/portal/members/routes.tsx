/** Members who were invited and can't sign in yet, for an admin to let in. */
import { inviteMember, type Link, lifetimeOf } from '../../auth/people/links.js';
import { uuidOf } from '../../edge/form.js';
import { ApiError } from '../../errors.js';
import { Button, Card, Empty, Notice, Tag } from '../components.js';
import { CopyField, Form } from '../forms.js';
import { OrganizationTabs, pathOf, requireAdmin } from '../organization.js';
import { page } from '../page.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { deliver } from '../sign-in/deliver.js';
import { Time } from '../time.js';

export const memberRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/organizations/:id/members', handler: (ctx) => show(ctx) },
  { method: 'POST', path: '/portal/organizations/:id/members/:member/link', handler: invite },
];

interface Invited {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
  readonly createdAt: string;
}

async function invite(ctx: PortalContext): Promise<void> {
  const { organization, admin } = await requireAdmin(ctx);
  const { db, config } = ctx.state.portal;
  const memberId = uuidOf(ctx.state.params.member);
  if (!memberId) throw new ApiError('not_found', 'There is no such member. Go back, reload the page, and try again.');
  const link = await inviteMember(db, config, admin, organization.id, memberId);
  await show(ctx, { ...link, isMailed: await deliver(ctx, link) });
}

async function show(ctx: PortalContext, link?: Link & { isMailed: boolean }): Promise<void> {
  const { organization } = await requireAdmin(ctx);
  const invited = await ctx.state.portal.db.query<Invited>(
    `select id, email, display_name as "displayName", role, created_at as "createdAt" from organization_members
     where organization_id = $1 and status = 'invited' order by created_at, id`,
    [organization.id],
  );
  page(
    ctx,
    { title: `Invited members of ${organization.name}` },
    <>
      <OrganizationTabs ctx={ctx} organization={organization} current="members" />
      <p class="lead">
        These people were added to {organization.name} and can't sign in yet. Make a link for each of them: with it they choose a password.
      </p>
      {link && (
        <Notice kind="good">
          <p>
            {link.isMailed ? `This link was mailed to ${link.email}.` : `Give this link to ${link.displayName || link.email}.`} It works
            once, for {lifetimeOf(link.purpose)}, and is not shown again.
          </p>
          <CopyField id="link" label={`Link for ${link.email}`} value={link.url} />
        </Notice>
      )}
      <Card title="Waiting to sign in">
        {invited.length === 0 && <Empty>Everyone who was invited can sign in.</Empty>}
        <ul class="rows">
          {invited.map(({ id, email, displayName, role, createdAt }) => (
            <li>
              <div>
                <strong>{displayName || email}</strong> <Tag>{role}</Tag>
                <p class="muted small">
                  {email} · added <Time at={createdAt} only="day" />
                </p>
              </div>
              <Form action={`${pathOf(organization, 'members')}/${id}/link`}>
                <Button kind="plain" label={`Make a link for ${displayName || email}`}>
                  Make a link
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      </Card>
    </>,
  );
}
