/** The forms of an app's pages that change one thing, and the audit log that tells of it. */

import { deleteApp, setAppStatus } from '../../auth/apps/registry.js';
import { overlapHours, revokeSecret, rotateSecret } from '../../auth/apps/secrets.js';
import { auditOf } from '../../auth/audit.js';
import { uuidOf } from '../../edge/form.js';
import { ApiError } from '../../errors.js';
import { AuditLog } from '../audit/log.js';
import { Card } from '../components.js';
import { page } from '../page.js';
import { field, type PortalContext, SeeOther } from '../route.js';
import { AppTabs, appPath, requireApp } from './frame.js';
import { showOverview } from './overview.js';

export async function newSecret(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const overlap = overlapHours.find((hours) => String(hours) === field(ctx, 'overlap'));
  if (overlap === undefined) throw new ApiError('validation_error', 'Choose how long the secrets before it go on working.');
  await showOverview(ctx, app.id, await rotateSecret(ctx.state.portal.db, owner, app.id, overlap));
}

export async function endSecret(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const secretId = uuidOf(ctx.state.params.secret);
  if (!secretId) throw new ApiError('not_found', 'There is no such secret.');
  await revokeSecret(ctx.state.portal.db, owner, app.id, secretId);
  throw new SeeOther(`${appPath(app)}?done=secret-revoked`);
}

export async function changeStatus(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const status = field(ctx, 'status') === 'active' ? 'active' : 'disabled';
  await setAppStatus(ctx.state.portal.db, owner, app.id, status);
  throw new SeeOther(`${appPath(app)}?done=${status === 'active' ? 'enabled' : 'disabled'}`);
}

export async function removeApp(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  if (field(ctx, 'sure') !== 'yes') throw new ApiError('validation_error', `Tick the box to delete ${app.name} for good.`);
  await deleteApp(ctx.state.portal.db, owner, app.id);
  throw new SeeOther('/portal/apps?done=deleted');
}

export async function showAppAudit(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  const entries = await auditOf(ctx.state.portal.db, { appId: app.id }, uuidOf(ctx.query.before));
  page(
    ctx,
    { title: `Audit log of ${app.name}` },
    <>
      <AppTabs ctx={ctx} app={app} current="audit" />
      <Card title="Who changed what">
        <AuditLog entries={entries} home={appPath(app, 'audit')} about="app" />
      </Card>
    </>,
  );
}
