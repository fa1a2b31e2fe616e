/** The page of an invitation link, with or without a session. */
import type { OpenInvitation } from '../../auth/accounts/invitations.js';
import { endsManagement } from '../../auth/accounts/management.js';
import type { WebUser } from '../../auth/accounts/sessions.js';
import { type ApiError, type Problems, problemsOf } from '../../errors.js';
import { Button, LinkButton, Notice } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';
import { NewPassword } from '../sign-in/link.js';

interface Given {
  readonly invitation: OpenInvitation;
  /** The path of the page. */
  readonly at: string;
  readonly problems: Problems | undefined;
}

export function showInvitation(
  ctx: PortalContext,
  invitation: OpenInvitation,
  failure?: ApiError,
): void {
  const user = ctx.state.session?.user;
  const at = `/portal/invitations/${ctx.params.secret}`;
  const given = { invitation, at, problems: problemsOf(failure) };
  page(
    ctx,
    { title: `Join ${invitation.organizationName}`, frame: 'narrow', failure },
    <>
      <h1>Join {invitation.organizationName}</h1>
      <p class="lead">
        {invitation.displayName || invitation.email}, {invitation.organizationName} invited you as{' '}
        <strong>{invitation.role}</strong>.
      </p>
      {user ? <SignedIn {...given} user={user} /> : <SignedOut {...given} />}
    </>,
  );
}

const SignedOut = ({ invitation, at, problems }: Given) => {
  const signIn = `/portal/sign-in?next=${encodeURIComponent(at)}`;
  if (invitation.hasAccount || invitation.accountId) {
    return (
      <>
        <p>
          You have an account for <strong>{invitation.email}</strong> already. Sign in, and accept
          the invitation.
        </p>
        <div class="stack">
          <LinkButton href={signIn}>Sign in</LinkButton>
        </div>
      </>
    );
  }
  return (
    <>
      <Form action={at} class="stack">
        <input type="hidden" name="email" value={invitation.email} autocomplete="username" />
        <p class="muted">
          A new account for <strong>{invitation.email}</strong>
        </p>
        <NewPassword problems={problems} />
        <Button>Make an account and join</Button>
      </Form>
      {invitation.isProof && (
        <p class="muted small">
          If you signed in here before, join with that account: a new one takes this address over.
        </p>
      )}
      <p class="or">or</p>
      <div class="stack">
        <LinkButton href={signIn} kind="plain">
          Join with an account you have
        </LinkButton>
      </div>
    </>
  );
};

const SignedIn = ({ invitation, at, problems, user }: Given & { readonly user: WebUser }) => {
  const isMember = user.memberships.some(
    ({ organizationId }) => organizationId === invitation.organizationId,
  );
  const ends = endsManagement(user.managedBy, invitation.organizationId);
  return (
    <>
      {isMember ? (
        <Notice>
          You are a member of {invitation.organizationName} already, with the account you are signed
          in to.
        </Notice>
      ) : (
        <>
          {user.address.toLowerCase() !== invitation.email.toLowerCase() && (
            <Notice kind="warning">
              The invitation is for <strong>{invitation.email}</strong>, and you are signed in as{' '}
              <strong>{user.email}</strong>. Join only if both are you.
            </Notice>
          )}
          <Form action={`${at}/accept`} class="stack">
            {ends && (
              <>
                <p>
                  Until now, an admin of your organization could set your password. With a second
                  organization your account is yours alone: choose a new password. You will be
                  signed out everywhere else, and asked about each passkey.
                </p>
                <input type="hidden" name="email" value={user.email} autocomplete="username" />
                <NewPassword problems={problems} />
              </>
            )}
            <Button>Join {invitation.organizationName}</Button>
          </Form>
        </>
      )}
      <Form action="/portal/sign-out" class="who">
        <input type="hidden" name="next" value={at} />
        <span>
          Signed in as <strong>{user.email}</strong>.
        </span>
        <Button kind="quiet">Not you?</Button>
      </Form>
    </>
  );
};
