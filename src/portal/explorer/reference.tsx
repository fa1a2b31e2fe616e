/** What the "Try it" forms of the API reference need to sign in (explorer/try.tsx). */
import { isEnabled, referenceApp } from '../../auth/apps/own.js';
import { LinkButton } from '../../pages/components.js';
import { page } from '../../pages/page.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { EnableHint } from './enable-hint.js';

export const referenceRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/docs/try', handler: showSettings },
];

/** Public values, as JSON. Where the app is not enabled, a page that says so. */
async function showSettings(ctx: PortalContext): Promise<void> {
  const { db, config } = ctx.state.portal;
  if (await isEnabled(db, config, referenceApp)) {
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { client_id: referenceApp.clientId, origin: new URL(config.BASE_URL).origin };
    return;
  }
  page(
    ctx,
    { isEnglish: true, title: 'Try it', status: 404 },
    <>
      <h1>Try it</h1>
      <p class="lead">
        Requests cannot be sent from the reference of this server. Ask its operator.
      </p>
      <EnableHint command="lanyard reference enable" app={referenceApp} />
      <LinkButton href="/docs" kind="plain">
        Back to the reference
      </LinkButton>
    </>,
  );
}
