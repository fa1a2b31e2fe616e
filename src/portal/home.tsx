import type { WebMembership } from '../auth/people/sessions.js';
import { Card, Tag } from './components.js';
import { page } from './page.js';
import { type PortalContext, type PortalRoute, requireUser } from './route.js';

export const homeRoutes: readonly PortalRoute[] = [{ method: 'GET', path: '/portal', handler: showHome }];

function showHome(ctx: PortalContext): void {
  const { displayName, email, memberships } = requireUser(ctx);
  page(
    ctx,
    { title: 'Home' },
    <>
      <h1>{displayName || email}</h1>
      <p class="lead">Signed in as {email}</p>
      <div class="grid">
        {memberships.map((membership) => (
          <Organization {...membership} />
        ))}
        {memberships.length === 0 && (
          <Card title="No organization yet">
            <p>You are not an active member of an organization. Ask an admin of your organization to add you with the address {email}.</p>
          </Card>
        )}
        <Card title="Apps">
          <p>For developers: register an app to read and write safety records for the people who use it, through REST or GraphQL.</p>
          <ul class="links">
            <li>
              <a href="/portal/apps">Your apps</a>
            </li>
            <li>
              <a href="/docs">API reference</a>
            </li>
            <li>
              <a href="/graphql">GraphQL sandbox</a>
            </li>
          </ul>
        </Card>
        <Card title="Your account">
          <p>Change your password, add a passkey, and see where you are signed in.</p>
          <ul class="links">
            <li>
              <a href="/portal/account">Account</a>
            </li>
          </ul>
        </Card>
      </div>
    </>,
  );
}

const Organization = ({ organizationId, name, slug, role, isPrimary }: WebMembership) => (
  <Card title={name}>
    <p>
      <Tag>{role}</Tag> {isPrimary && <Tag>main</Tag>} <code class="muted">{slug}</code>
    </p>
    {role === 'admin' ? (
      <ul class="links">
        <li>
          <a href={`/portal/organizations/${organizationId}/approvals`}>App approvals</a>
        </li>
        <li>
          <a href={`/portal/organizations/${organizationId}/members`}>Invited members</a>
        </li>
        <li>
          <a href={`/portal/organizations/${organizationId}/audit`}>Audit log</a>
        </li>
      </ul>
    ) : (
      <p class="muted">Its admins decide which apps may be used here.</p>
    )}
  </Card>
);
