/** The page of the dashboard: an empty frame, which the bundle of dashboard/ fills in the browser, through OAuth and the public GraphQL endpoint alone. */
import { dashboardClientId, isDashboardEnabled } from '../../auth/apps/dashboard.js';
import { Card } from '../components.js';
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
      <noscript>The dashboard needs JavaScript.</noscript>
    </div>,
  );
}

const showDisabled = (ctx: PortalContext): void =>
  page(
    ctx,
    { title: 'Dashboard', status: 404 },
    <Card title="The dashboard is not enabled here">
      <p>
        Whoever operates this server enables it with <code>lanyard dashboard enable</code>, and once more after a change of{' '}
        <code>BASE_URL</code>. If it was disabled, <code>lanyard apps enable {dashboardClientId}</code> undoes that.
      </p>
    </Card>,
  );
