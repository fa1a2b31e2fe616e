/** Pages of the authorization server: errors that must not be redirected, and sign-out. */
import type { ParameterizedContext } from 'koa';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { ComponentChildren } from 'preact';
import { Button, LinkButton } from '../../pages/components.js';
import type { PageContext } from '../../pages/context.js';
import { type PageOptions, page } from '../../pages/page.js';

/** These pages show no session, because they are about the app and its request. */
const show = (
  ctx: ParameterizedContext,
  options: Omit<PageOptions, 'frame'>,
  children: ComponentChildren,
): void =>
  page(
    ctx as unknown as PageContext,
    { ...options, frame: 'narrow' },
    <>
      <h1>{options.title}</h1>
      {children}
    </>,
  );

/** Shows an error that must not be redirected, because the redirect URI may not be the app's. */
export function showProblem(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  show(
    ctx,
    { title: 'The app could not sign you in', status: ctx.status, leadsAway: true },
    <>
      <p>
        Go back to the app and start again. If that does not help, tell the people who run the app
        this:
      </p>
      <p>
        <code>{error}</code>
        {error_description && `: ${error_description}`}
      </p>
    </>,
  );
}

const titles: Readonly<Record<number, string>> = {
  429: 'Too many attempts',
  503: 'Back in a moment',
};

/** Shows a request that was refused before oidc-provider read it. */
export const showRefusal = (
  ctx: ParameterizedContext,
  status: number,
  error: string,
  description: string,
): void =>
  show(
    ctx,
    { title: titles[status] ?? 'This request can not go on', status },
    <>
      <p>{description}</p>
      <p class="muted small">
        <code>{error}</code>
      </p>
      <p>
        <LinkButton href="/portal">Go to the portal</LinkButton>
      </p>
    </>,
  );

/** @param form The form to submit, as HTML; its id is `op.logoutForm`. */
export function confirmSignOut(ctx: KoaContextWithOIDC, form: string): void {
  const app = ctx.oidc.client?.clientName;
  show(
    ctx,
    { title: 'Sign out of Lanyard?', leadsAway: true },
    <>
      <p>
        {app ? `${app} asks to sign you out` : 'This signs you out'} in this browser. Apps with
        access to your account in the background go on.
      </p>
      <div dangerouslySetInnerHTML={{ __html: form }} />
      <div class="actions">
        <Button form="op.logoutForm" name="logout" value="yes">
          Sign out
        </Button>
        <Button form="op.logoutForm" kind="plain">
          Stay signed in
        </Button>
      </div>
    </>,
  );
}

export function showSignedOut(ctx: KoaContextWithOIDC): void {
  show(
    ctx,
    { title: 'You can close this page' },
    <p>
      <LinkButton href="/portal">Go to the portal</LinkButton>
    </p>,
  );
}
