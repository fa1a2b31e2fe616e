import { listInvitations } from '../auth/accounts/pending.js';
import type { WebMembership } from '../auth/accounts/sessions.js';
import { Button, Card, Notice, Tag } from '../pages/components.js';
import { Form } from '../pages/forms.js';
import { Fill, textsOf, useTexts } from '../pages/language.js';
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
  const t = textsOf(ctx).home;
  page(
    ctx,
    { title: t.title },
    <>
      <h1>{displayName || email}</h1>
      <p class="lead">{t.signedInAs(email)}</p>
      <Done outcome={String(ctx.query.done ?? '')} signInName={email} />
      {invitations.length > 0 && <Pending invitations={invitations} />}
      <div class="grid">
        {memberships.map((membership) => (
          <Organization {...membership} isOnly={memberships.length === 1} />
        ))}
        {memberships.length === 0 && (
          <Card title={t.noOrganization}>
            <p>{t.noOrganizationText}</p>
          </Card>
        )}
        <Card title={t.apps}>
          <p>{t.appsText}</p>
          <ul class="links">
            <li>
              <a href="/portal/apps">{t.yourApps}</a>
            </li>
            <li>
              <a href="/docs">{t.reference}</a>
            </li>
            <li>
              <a href="/graphql">{t.explorer}</a>
            </li>
          </ul>
        </Card>
        <Card title={t.account}>
          <p>{t.accountText}</p>
          <ul class="links">
            <li>
              <a href="/portal/account">{t.accountLink}</a>
            </li>
          </ul>
        </Card>
      </div>
    </>,
  );
}

const Done = ({ outcome, signInName }: { outcome: string; signInName: string }) => {
  const t = useTexts().home;
  if (outcome === 'welcome') {
    return (
      <Notice kind="good">
        <Fill text={t.welcome}>
          <strong>{signInName}</strong>
        </Fill>
      </Notice>
    );
  }
  const sentence = Object.hasOwn(t.outcomes, outcome) && t.outcomes[outcome];
  return sentence ? <Notice kind="good">{sentence}</Notice> : null;
};

const Organization = ({
  organizationId,
  name,
  slug,
  role,
  isPrimary,
  isOnly,
}: WebMembership & { readonly isOnly: boolean }) => {
  const t = useTexts().home;
  return (
    <Card title={name}>
      <p>
        <Tag>{role}</Tag> {isPrimary && <Tag>{t.main}</Tag>} <code class="muted">{slug}</code>
      </p>
      {role === 'admin' ? (
        <ul class="links">
          <li>
            <a href={`/portal/organizations/${organizationId}/approvals`}>{t.approvals}</a>
          </li>
          <li>
            <a href={`/portal/organizations/${organizationId}/members`}>{t.members}</a>
          </li>
          <li>
            <a href={`/portal/organizations/${organizationId}/audit`}>{t.audit}</a>
          </li>
        </ul>
      ) : (
        <p class="muted">{t.adminsApprove}</p>
      )}
      {!isPrimary && !isOnly && (
        <Form action={`/portal/organizations/${organizationId}/primary`} class="stack">
          <Button kind="quiet" label={t.makeMainOf(name)}>
            {t.makeMain}
          </Button>
        </Form>
      )}
    </Card>
  );
};
