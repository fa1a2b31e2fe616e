/**
 * The page of the dashboard: an empty frame. The bundle of dashboard/ fills it in the browser,
 * through OAuth and the public GraphQL endpoint.
 */
import { dashboardApp, isEnabled } from '../../auth/apps/own.js';
import { bundled } from '../../pages/bundle.js';
import { Notice } from '../../pages/components.js';
import { textsOf } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import { EnableHint } from '../explorer/enable-hint.js';
import type { PortalContext, PortalRoute } from '../route.js';

export const dashboardRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/dashboard', handler: showDashboard },
];

async function showDashboard(ctx: PortalContext): Promise<void> {
  const { db, config } = ctx.state.portal;
  if (!(await isEnabled(db, config, dashboardApp))) return showDisabled(ctx);
  page(
    ctx,
    {
      title: textsOf(ctx).frame.dashboard,
      scripts: [bundled('dashboard', '.js')],
      styles: [bundled('dashboard', '.css')],
    },
    <div
      id="dashboard"
      data-client-id={dashboardApp.clientId}
      data-origin={new URL(config.BASE_URL).origin}
    >
      <noscript>
        <Notice kind="warning">
          {textsOf(ctx).frame.needsScript(textsOf(ctx).frame.dashboard)}
        </Notice>
      </noscript>
    </div>,
  );
}

const showDisabled = (ctx: PortalContext): void =>
  page(
    ctx,
    { isEnglish: true, title: 'Dashboard', status: 404 },
    <>
      <h1>Dashboard</h1>
      <p class="lead">The dashboard is not enabled on this server. Ask its operator.</p>
      <EnableHint command="lanyard dashboard enable" app={dashboardApp} />
    </>,
  );
