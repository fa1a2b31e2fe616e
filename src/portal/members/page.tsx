import { Button, Card, Empty, Notice, Tag } from '../../pages/components.js';
import { CopyField, Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import { type Organization, OrganizationTabs, pathOf } from '../organization.js';
import type { PortalContext } from '../route.js';

export interface InvitedMember {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
  readonly createdAt: string;
  /** Expiry of the latest link; null without one. */
  readonly linkUntil: string | null;
}

/** A member whose account the organization manages. */
export interface ManagedMember {
  readonly id: string;
  readonly displayName: string;
  readonly role: string;
  readonly signInName: string;
}

/** A link that was just created. */
export interface MadeLink {
  readonly name: string;
  readonly email: string;
  readonly lifetime: string;
  /** Undefined when it was mailed: an admin who saw it could use it. */
  readonly url?: string;
}

export interface Members {
  readonly invited: readonly InvitedMember[];
  readonly managed: readonly ManagedMember[];
  readonly link: MadeLink | undefined;
}

export function showMembers(
  ctx: PortalContext,
  organization: Organization,
  { invited, managed, link }: Members,
): void {
  const isMailed = ctx.state.portal.mailer !== undefined;
  page(
    ctx,
    { isEnglish: true, title: `Members of ${organization.name}` },
    <>
      <OrganizationTabs ctx={ctx} organization={organization} current="members" />
      <p class="lead">
        A person joins {organization.name} when they accept the invitation. You can keep records for
        them before.
      </p>
      {link && <Made {...link} />}
      <Card title="Invited">
        {invited.length === 0 && (
          <Empty>
            No invitations are open: add members by import or through the API, as{' '}
            <a href="/docs/authentication#accounts-and-invitations">the guide</a> says, and they are
            listed here until they accept.
          </Empty>
        )}
        <ul class="rows">
          {invited.map((member) => (
            <Invited
              {...member}
              action={`${pathOf(organization, 'members')}/${member.id}/link`}
              isMailed={isMailed}
            />
          ))}
        </ul>
      </Card>
      <Card title="Accounts that you manage">
        <p class="muted small">
          They were created with a link from {organization.name}, and belong to no other
          organization. If one of them forgot the password, hand over a reset link: it ends all
          sign-ins of the account.
        </p>
        {managed.length === 0 && (
          <Empty>
            There are none. All others reset the password by e-mail, or through the operator.
          </Empty>
        )}
        <ul class="rows">
          {managed.map(({ id, displayName, role, signInName }) => (
            <li>
              <div>
                <strong>{displayName || signInName}</strong> <Tag>{role}</Tag>
                <p class="muted small">signs in as {signInName}</p>
              </div>
              <Form action={`${pathOf(organization, 'members')}/${id}/reset`}>
                <Button kind="plain" label={`Make a reset link for ${displayName || signInName}`}>
                  Make a reset link
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      </Card>
    </>,
  );
}

const Made = ({ name, email, lifetime, url }: MadeLink) => (
  <Notice kind="good">
    {url ? (
      <>
        <p>
          Give this link only to {name}. It works once, for {lifetime}, and is not shown again.
        </p>
        <CopyField id="link" label={`Link for ${name}`} value={url} />
      </>
    ) : (
      <p>
        An invitation was mailed to {email}. Its link works once, for {lifetime}.
      </p>
    )}
  </Notice>
);

const Invited = ({
  email,
  displayName,
  role,
  createdAt,
  linkUntil,
  action,
  isMailed,
}: InvitedMember & { readonly action: string; readonly isMailed: boolean }) => (
  <li>
    <div>
      <strong>{displayName || email}</strong> <Tag>{role}</Tag>
      <p class="muted small">
        {email} · added <Time at={createdAt} only="day" />
        {linkUntil && (
          <>
            {' '}
            · has a link until <Time at={linkUntil} only="day" />
          </>
        )}
      </p>
    </div>
    <Form action={action}>
      <Button
        kind="plain"
        label={`${isMailed ? 'Mail an invitation to' : 'Make a link for'} ${displayName || email}`}
      >
        {isMailed ? 'Mail an invitation' : 'Make a link'}
      </Button>
    </Form>
  </li>
);
