import { findLink, linkEnded, type OpenLink, redeemLink } from '../../auth/accounts/links.js';
import { listPasskeys } from '../../auth/accounts/passkeys.js';
import type { Proof } from '../../auth/accounts/sign-in.js';
import { type Problems, problemsOf } from '../../errors.js';
import { Button } from '../../pages/components.js';
import { PageError } from '../../pages/context.js';
import { Field, Form } from '../../pages/forms.js';
import { Fill, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';
import { begin, goOn, settleAfterwards } from './session.js';

/**
 * The page of a one-time link. A GET does not use up the link, because mail scanners open it too.
 */
export async function showLink(ctx: PortalContext): Promise<void> {
  show(ctx, await requireLink(ctx));
}

export async function takeLink(ctx: PortalContext): Promise<void> {
  const { form, portal, requestId } = ctx.state;
  const link = await requireLink(ctx);
  let proof: Proof;
  try {
    proof = await redeemLink(
      portal.db,
      ctx.params.secret ?? '',
      form.get('password') ?? '',
      form.get('repeated') ?? '',
      requestId,
    );
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    return show(ctx, link, problems);
  }
  settleAfterwards(ctx);
  await begin(ctx, proof);
  const passkeys = await listPasskeys(portal.db, proof.userId);
  goOn(
    ctx,
    passkeys.some(({ isConfirmed }) => !isConfirmed) ? '/portal/account/passkeys' : '/portal',
  );
}

async function requireLink(ctx: PortalContext): Promise<OpenLink> {
  const link = await findLink(ctx.state.portal.db, ctx.params.secret ?? '');
  if (!link) throw new PageError('not_found', 'This link has ended', linkEnded);
  return link;
}

function show(
  ctx: PortalContext,
  { signInName, displayName, purpose }: OpenLink,
  problems?: Problems,
): void {
  const isNew = purpose === 'invitation';
  const t = textsOf(ctx).link;
  const title = isNew ? t.welcome : t.reset;
  page(
    ctx,
    { title, frame: 'narrow', status: problems ? 422 : 200 },
    <>
      <h1>{title}</h1>
      <p class="lead">{isNew ? t.welcomeText(displayName || signInName) : t.resetText}</p>
      <Form action={ctx.path} class="stack">
        <input type="hidden" name="email" value={signInName} autocomplete="username" />
        <p class="muted">
          <Fill text={t.signInName}>
            <strong>{signInName}</strong>
          </Fill>
        </p>
        <NewPassword problems={problems} />
        <Button>{t.save}</Button>
      </Form>
    </>,
  );
}

/** The fields `password` and `repeated`. */
export const NewPassword = ({ problems }: { problems: Problems | undefined }) => (
  <>
    <Field
      name="password"
      label={useTexts().link.newPassword}
      type="password"
      autocomplete="new-password"
      hint={useTexts().link.passwordHint}
      maxLength={1000}
      problems={problems}
    />
    <Field
      name="repeated"
      label={useTexts().link.again}
      type="password"
      autocomplete="new-password"
      maxLength={1000}
      problems={problems}
    />
  </>
);
