import { listInvitations } from '../auth/accounts/pending.js';
import type { WebMembership } from '../auth/accounts/sessions.js';
import { Button, Card, Notice, Tag } from '../pages/components.js';
import { Form } from '../pages/forms.js';
import { page } from '../pages/page.js';
import { Pending } from './invitations/pending.js';
import { type PortalContext, type PortalRoute, requireUser } from './route.js';

export const homeRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal', handler: showHome },
];

async function showHome(ctx: PortalContext): Promise<void> {
  const user = requireUser(ctx);
  const { displayName, email, memberships } = user;
  const invitations = await listInvitations(ctx.state.portal.db, user.id);
  page(
    ctx,
    { title: 'Home' },
    <>
      <h1>{displayName || email}</h1>
      <p class="lead">Signed in as {email}</p>
      <Done outcome={String(ctx.query.done ?? '')} signInName={email} />
      {invitations.length > 0 && <Pending invitations={invitations} />}
      <div class="grid">
        {memberships.map((membership) => (
          <Organization {...membership} isOnly={memberships.length === 1} />
        ))}
        {memberships.length === 0 && (
          <Card title="No organization yet">
            <p>
              You are not an active member of an organization. Ask an admin of your organization to
              invite you.
            </p>
          </Card>
        )}
        <Card title="Apps">
          <p>
            For developers: register an app to read and write safety records for the people who use
            it, through REST or GraphQL.
          </p>
          <ul class="links">
            <li>
              <a href="/portal/apps">Your apps</a>
            </li>
            <li>
              <a href="/docs">API reference</a>
            </li>
            <li>
              <a href="/graphql">GraphQL explorer</a>
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

const outcomes: Readonly<Record<string, string>> = {
  accepted: 'You joined the organization.',
  declined: 'You declined the invitation. The organization can invite you again.',
  primary: 'Your main organization is changed.',
};

const Done = ({ outcome, signInName }: { outcome: string; signInName: string }) => {
  if (outcome === 'welcome') {
    return (
      <Notice kind="good">
        Welcome. On other devices you sign in as <strong>{signInName}</strong>: note it down.
      </Notice>
    );
  }
  return outcomes[outcome] ? <Notice kind="good">{outcomes[outcome]}</Notice> : null;
};

const Organization = ({
  organizationId,
  name,
  slug,
  role,
  isPrimary,
  isOnly,
}: WebMembership & { readonly isOnly: boolean }) => (
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
          <a href={`/portal/organizations/${organizationId}/members`}>Members</a>
        </li>
        <li>
          <a href={`/portal/organizations/${organizationId}/audit`}>Audit log</a>
        </li>
      </ul>
    ) : (
      <p class="muted">Its admins approve the apps that can be used here.</p>
    )}
    {!isPrimary && !isOnly && (
      <Form action={`/portal/organizations/${organizationId}/primary`} class="stack">
        <Button kind="quiet" label={`Make it my main organization: ${name}`}>
          Make it my main organization
        </Button>
      </Form>
    )}
  </Card>
);
