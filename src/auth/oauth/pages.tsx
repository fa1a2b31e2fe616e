/** Pages of the authorization server: errors that must not be redirected, and sign-out. */
import type { ParameterizedContext } from 'koa';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { ComponentChildren } from 'preact';
import { Button, LinkButton } from '../../pages/components.js';
import type { PageContext } from '../../pages/context.js';
import { textsOf } from '../../pages/language.js';
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
  const t = textsOf(ctx).oauth;
  show(
    ctx,
    { title: t.notSignedIn, status: ctx.status, leadsAway: true },
    <>
      <p>{t.notSignedInText}</p>
      <p>
        <code>{error}</code>
        {error_description && `: ${error_description}`}
      </p>
    </>,
  );
}

/** Shows a request that was refused before oidc-provider read it. */
export const showRefusal = (
  ctx: ParameterizedContext,
  status: number,
  error: string,
  description: string,
): void => {
  const t = textsOf(ctx);
  const isKnown = status === 429 || status === 503;
  show(
    ctx,
    { title: (isKnown && t.errors.headings[status]) || t.oauth.refused, status },
    <>
      <p>{description}</p>
      <p class="muted small">
        <code>{error}</code>
      </p>
      <p>
        <LinkButton href="/portal">{t.frame.goToPortal}</LinkButton>
      </p>
    </>,
  );
};

/** @param form The form to submit, as HTML; its id is `op.logoutForm`. */
export function confirmSignOut(ctx: KoaContextWithOIDC, form: string): void {
  const app = ctx.oidc.client?.clientName;
  const texts = textsOf(ctx);
  const t = texts.oauth;
  show(
    ctx,
    { title: t.signOut, leadsAway: true },
    <>
      <p>{app ? t.signOutBy(app) : t.signOutText}</p>
      <div dangerouslySetInnerHTML={{ __html: form }} />
      <div class="actions">
        <Button form="op.logoutForm" name="logout" value="yes">
          {texts.frame.signOut}
        </Button>
        <Button form="op.logoutForm" kind="plain">
          {t.stay}
        </Button>
      </div>
    </>,
  );
}

export function showSignedOut(ctx: KoaContextWithOIDC): void {
  const t = textsOf(ctx);
  show(
    ctx,
    { title: t.oauth.close },
    <p>
      <LinkButton href="/portal">{t.frame.goToPortal}</LinkButton>
    </p>,
  );
}
