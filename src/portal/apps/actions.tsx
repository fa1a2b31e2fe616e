/** The single-purpose forms of an app's pages, and its audit log. */

import { deleteApp, type RegisteredApp, setAppStatus } from '../../auth/apps/registry.js';
import { overlapHours, revokeSecret, rotateSecret } from '../../auth/apps/secrets.js';
import { auditOf } from '../../auth/audit.js';
import { ApiError } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { Button, Card, LinkButton, Notice } from '../../pages/components.js';
import { field } from '../../pages/context.js';
import { Form, isSure, requireSure } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { AuditLog } from '../audit/log.js';
import { type PortalContext, SeeOther } from '../route.js';
import { AppTabs, appPath, requireApp } from './frame.js';
import { showOverview } from './overview.js';

export async function newSecret(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const overlap = overlapHours.find((hours) => String(hours) === field(ctx, 'overlap'));
  if (overlap === undefined)
    throw new ApiError('validation_error', 'Choose how long the secrets before it go on working.');
  if (overlap === 0 && !isSure(ctx)) return askToEndSecrets(ctx, app);
  await showOverview(ctx, app.id, await rotateSecret(ctx.state.portal.db, owner, app.id, overlap));
}

/** A new secret without overlap revokes the old ones, so it needs the same confirmation. */
function askToEndSecrets(ctx: PortalContext, app: RegisteredApp): void {
  page(
    ctx,
    { isEnglish: true, title: `New secret of ${app.name}` },
    <>
      <AppTabs ctx={ctx} app={app} current="overview" />
      <Card title="End the old secrets at once?">
        <Notice kind="warning">
          Every server that still uses an old secret of {app.name} can't get tokens any more, from
          the moment that the new one is there. This can't be undone.
        </Notice>
        <Form action={`${appPath(app)}/secrets`}>
          <input type="hidden" name="overlap" value="0" />
          <p class="actions">
            <Button kind="danger" name="sure" value="yes">
              Create a secret, and end the old ones
            </Button>
            <LinkButton href={appPath(app)} kind="plain">
              Cancel
            </LinkButton>
          </p>
        </Form>
      </Card>
    </>,
  );
}

export async function endSecret(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const secretId = uuidOf(ctx.params.secret);
  if (!secretId) throw new ApiError('not_found', 'There is no such secret.');
  requireSure(ctx);
  await revokeSecret(ctx.state.portal.db, owner, app.id, secretId);
  throw new SeeOther(`${appPath(app)}?done=secret-revoked`);
}

export async function changeStatus(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const status = field(ctx, 'status') === 'active' ? 'active' : 'disabled';
  if (status === 'disabled') requireSure(ctx);
  await setAppStatus(ctx.state.portal.db, owner, app.id, status);
  throw new SeeOther(`${appPath(app)}?done=${status === 'active' ? 'enabled' : 'disabled'}`);
}

export async function removeApp(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  requireSure(ctx);
  await deleteApp(ctx.state.portal.db, owner, app.id);
  throw new SeeOther('/portal/apps?done=deleted');
}

export async function showAppAudit(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  const entries = await auditOf(ctx.state.portal.db, { appId: app.id }, uuidOf(ctx.query.before));
  page(
    ctx,
    { isEnglish: true, title: `Audit log of ${app.name}` },
    <>
      <AppTabs ctx={ctx} app={app} current="audit" />
      <Card title="Who changed what">
        <AuditLog entries={entries} home={appPath(app, 'audit')} about="app" />
      </Card>
    </>,
  );
}
