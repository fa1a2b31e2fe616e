/** The page of the dashboard: an empty frame, which the bundle of dashboard/ fills in the browser, through OAuth and the public GraphQL endpoint alone. */
import { dashboardClientId, isDashboardEnabled } from '../../auth/apps/dashboard.js';
import { Card, Notice } from '../components.js';
import { page } from '../page.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { bundle } from './bundle.js';

export const dashboardRoutes: readonly PortalRoute[] = [{ method: 'GET', path: '/dashboard', handler: showDashboard }];

async function showDashboard(ctx: PortalContext): Promise<void> {
  const { db, config } = ctx.state.portal;
  if (!(await isDashboardEnabled(db, config))) return showDisabled(ctx);
  const { script, style } = bundle();
  page(
    ctx,
    { title: 'Dashboard', scripts: [script], styles: [style] },
    <div id="dashboard" data-client-id={dashboardClientId}>
      <noscript>
        <Notice kind="warning">The dashboard needs JavaScript. Turn it on in your browser, then reload this page.</Notice>
      </noscript>
    </div>,
  );
}

const showDisabled = (ctx: PortalContext): void =>
  page(
    ctx,
    { title: 'Dashboard', status: 404 },
    <>
      <h1>Dashboard</h1>
      <p class="lead">The dashboard is not turned on here yet. Ask the people who run this server.</p>
      <Card title="If you run this server">
        <p>
          Turn it on with <code>lanyard dashboard enable</code>, and once more after a change of <code>BASE_URL</code>. If it was disabled,{' '}
          <code>lanyard apps enable {dashboardClientId}</code> undoes that.
        </p>
      </Card>
    </>,
  );
