/** The page of an invitation link, with or without a session. */
import type { OpenInvitation } from '../../auth/accounts/invitations.js';
import { endsManagement } from '../../auth/accounts/management.js';
import type { WebUser } from '../../auth/accounts/sessions.js';
import { type ApiError, type Problems, problemsOf } from '../../errors.js';
import { Button, LinkButton, Notice } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Fill, textsOf, useTexts } from '../../pages/language.js';
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
  const texts = textsOf(ctx);
  const t = texts.invitation;
  const given = { invitation, at, problems: problemsOf(failure) };
  page(
    ctx,
    { title: t.join(invitation.organizationName), frame: 'narrow', failure },
    <>
      <h1>{t.join(invitation.organizationName)}</h1>
      <p class="lead">
        <Fill
          text={t.lead(invitation.displayName || invitation.email, invitation.organizationName)}
        >
          <strong>{invitation.role}</strong>
        </Fill>
      </p>
      {user ? <SignedIn {...given} user={user} /> : <SignedOut {...given} />}
    </>,
  );
}

const SignedOut = ({ invitation, at, problems }: Given) => {
  const texts = useTexts();
  const t = texts.invitation;
  const signIn = `/portal/sign-in?next=${encodeURIComponent(at)}`;
  if (invitation.hasAccount || invitation.accountId) {
    return (
      <>
        <p>
          <Fill text={t.hasAccount}>
            <strong>{invitation.email}</strong>
          </Fill>
        </p>
        <div class="stack">
          <LinkButton href={signIn}>{texts.signIn.button}</LinkButton>
        </div>
      </>
    );
  }
  return (
    <>
      <Form action={at} class="stack">
        <input type="hidden" name="email" value={invitation.email} autocomplete="username" />
        <p class="muted">
          <Fill text={t.newAccount}>
            <strong>{invitation.email}</strong>
          </Fill>
        </p>
        <NewPassword problems={problems} />
        <Button>{t.make}</Button>
      </Form>
      {invitation.isProof && <p class="muted small">{t.takesOver}</p>}
      <p class="or">{texts.signIn.or}</p>
      <div class="stack">
        <LinkButton href={signIn} kind="plain">
          {t.other}
        </LinkButton>
      </div>
    </>
  );
};

const SignedIn = ({ invitation, at, problems, user }: Given & { readonly user: WebUser }) => {
  const texts = useTexts();
  const t = texts.invitation;
  const isMember = user.memberships.some(
    ({ organizationId }) => organizationId === invitation.organizationId,
  );
  const ends = endsManagement(user.managedBy, invitation.organizationId);
  return (
    <>
      {isMember ? (
        <Notice>{t.isMember(invitation.organizationName)}</Notice>
      ) : (
        <>
          {user.address.toLowerCase() !== invitation.email.toLowerCase() && (
            <Notice kind="warning">{t.forAnother(invitation.email, user.email)}</Notice>
          )}
          <Form action={`${at}/accept`} class="stack">
            {ends && (
              <>
                <p>{t.endsManagement}</p>
                <input type="hidden" name="email" value={user.email} autocomplete="username" />
                <NewPassword problems={problems} />
              </>
            )}
            <Button>{t.join(invitation.organizationName)}</Button>
          </Form>
        </>
      )}
      <Form action="/portal/sign-out" class="who">
        <input type="hidden" name="next" value={at} />
        <span>
          <Fill text={texts.signIn.signedInAs}>
            <strong>{user.email}</strong>
          </Fill>
        </span>
        <Button kind="quiet">{texts.signIn.notYou}</Button>
      </Form>
    </>
  );
};
