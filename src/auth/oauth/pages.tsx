/** What the authorization server itself shows to people: a request that can't go on, and signing out. */
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { ComponentChildren } from 'preact';
import { Button, LinkButton } from '../../portal/components.js';
import { type PageOptions, page } from '../../portal/page.js';
import type { PortalContext } from '../../portal/route.js';

/** Nobody counts as signed in on these pages: what they say is about the app and its request. */
const show = (ctx: KoaContextWithOIDC, options: Omit<PageOptions, 'frame'>, children: ComponentChildren): void =>
  page(
    ctx as unknown as PortalContext,
    { ...options, frame: 'narrow' },
    <>
      <h1>{options.title}</h1>
      {children}
    </>,
  );

/** The request is wrong in a way that must not go back to the app: who knows whether the address is the app's. */
export function showProblem(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  show(
    ctx,
    { title: 'The app could not sign you in', status: ctx.status },
    <>
      <p>Go back to the app and start again. If that does not help, tell the people who run the app this:</p>
      <p>
        <code>{error}</code>
        {error_description && `: ${error_description}`}
      </p>
    </>,
  );
}

/** @param form The form to submit, as HTML; its id is `op.logoutForm`. */
export function confirmSignOut(ctx: KoaContextWithOIDC, form: string): void {
  const app = ctx.oidc.client?.clientName;
  show(
    ctx,
    { title: 'Sign out of Lanyard?', leadsAway: true },
    <>
      <p>{app ? `${app} asks to sign you out` : 'This signs you out'} in this browser. Apps that work for you in the background go on.</p>
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
