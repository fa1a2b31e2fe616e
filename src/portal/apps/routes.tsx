import type { PortalContext, PortalRoute } from '../route.js';
import { changeStatus, endSecret, newSecret, removeApp, showAppAudit } from './actions.js';
import { requireApp } from './frame.js';
import { createApp, showApps, showNewApp } from './list.js';
import { showOverview } from './overview.js';
import { saveSettings, showSettings } from './settings.js';
import { endSignIn, showSignIns } from './sign-ins.js';
import { allowTry, showTry } from './try.js';

export const appRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/apps', handler: showApps },
  { method: 'POST', path: '/portal/apps', handler: createApp },
  { method: 'GET', path: '/portal/apps/new', handler: (ctx) => showNewApp(ctx) },
  { method: 'GET', path: '/portal/apps/:id', handler: showApp },
  { method: 'GET', path: '/portal/apps/:id/settings', handler: showSettings },
  { method: 'POST', path: '/portal/apps/:id/settings', handler: saveSettings },
  { method: 'POST', path: '/portal/apps/:id/status', handler: changeStatus },
  { method: 'POST', path: '/portal/apps/:id/delete', handler: removeApp },
  { method: 'POST', path: '/portal/apps/:id/secrets', handler: newSecret },
  { method: 'POST', path: '/portal/apps/:id/secrets/:secret/revoke', handler: endSecret },
  { method: 'GET', path: '/portal/apps/:id/sign-ins', handler: showSignIns },
  { method: 'POST', path: '/portal/apps/:id/grants/:grant/revoke', handler: endSignIn },
  { method: 'GET', path: '/portal/apps/:id/audit', handler: showAppAudit },
  { method: 'GET', path: '/portal/apps/:id/try', handler: showTry },
  { method: 'POST', path: '/portal/apps/:id/try', handler: allowTry },
];

async function showApp(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  await showOverview(ctx, app.id);
}
