import { findLink, linkEnded, type OpenLink, redeemLink } from '../../auth/people/links.js';
import { type Problems, problemsOf } from '../../errors.js';
import { Button } from '../components.js';
import { Field, Form } from '../forms.js';
import { page } from '../page.js';
import { PageError, type PortalContext } from '../route.js';
import { begin, goOn } from './session.js';

/** The page behind a one-time link. Looking at it doesn't use the link up: mail scanners look, too. */
export async function showLink(ctx: PortalContext): Promise<void> {
  show(ctx, await requireLink(ctx));
}

export async function takeLink(ctx: PortalContext): Promise<void> {
  const { params, form, portal, requestId } = ctx.state;
  const link = await requireLink(ctx);
  try {
    const userId = await redeemLink(portal.db, params.secret ?? '', form.get('password') ?? '', form.get('repeated') ?? '', requestId);
    await begin(ctx, userId, 'link');
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    return show(ctx, link, problems);
  }
  goOn(ctx, '/portal');
}

async function requireLink(ctx: PortalContext): Promise<OpenLink> {
  const link = await findLink(ctx.state.portal.db, ctx.state.params.secret ?? '');
  if (!link) throw new PageError('not_found', 'This link has ended', linkEnded);
  return link;
}

function show(ctx: PortalContext, { email, displayName, purpose }: OpenLink, problems?: Problems): void {
  const isInvitation = purpose === 'invitation';
  const title = isInvitation ? 'Welcome to Lanyard' : 'Choose a new password';
  page(
    ctx,
    { title, frame: 'narrow', status: problems ? 422 : 200 },
    <>
      <h1>{title}</h1>
      <p class="lead">
        {isInvitation
          ? `${displayName || email}, you were invited. Choose a password, and you are signed in.`
          : 'You will be signed out everywhere else.'}
      </p>
      <Form action={ctx.path} class="stack">
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <p class="muted">
          Your account: <strong>{email}</strong>
        </p>
        <NewPassword problems={problems} />
        <Button>Save and sign in</Button>
      </Form>
    </>,
  );
}

/** The fields `password` and `repeated`. */
export const NewPassword = ({ problems }: { problems: Problems | undefined }) => (
  <>
    <Field
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      hint="At least 12 characters. A few words in a row are easy to remember."
      maxLength={1000}
      problems={problems}
    />
    <Field
      name="repeated"
      label="The new password again"
      type="password"
      autocomplete="new-password"
      maxLength={1000}
      problems={problems}
    />
  </>
);
