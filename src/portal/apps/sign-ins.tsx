/** People who signed in through an app: its active grants. */
import { grantsOf, revokeGrant } from '../../auth/apps/grants.js';
import { Card, Empty } from '../../pages/components.js';
import { Confirm, requireSure } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import { type PortalContext, SeeOther } from '../route.js';
import { AppTabs, appPath, requireApp } from './frame.js';

export async function showSignIns(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  const grants = await grantsOf(ctx.state.portal.db, { appId: app.id });
  page(
    ctx,
    { isEnglish: true, title: `Sign-ins of ${app.name}` },
    <>
      <AppTabs ctx={ctx} app={app} current="sign-ins" />
      <Card title="Who signed in">
        {grants.length === 0 && <Empty>No one is signed in through the app.</Empty>}
        <ul class="rows">
          {grants.map(({ id, userName, userEmail, createdAt, expiresAt }) => (
            <li>
              <div>
                <strong>{userName}</strong>
                <p class="muted small">
                  {userEmail} · since <Time at={createdAt} /> · until{' '}
                  <Time at={expiresAt} only="day" /> at the latest
                </p>
              </div>
              <Confirm
                action={`${appPath(app)}/grants/${encodeURIComponent(id)}/revoke`}
                text="End"
                about="All its tokens stop working immediately, also those for background work."
                button={`End the sign-in of ${userName}`}
              />
            </li>
          ))}
        </ul>
        <p class="hint">
          Ending a sign-in ends every token that was issued from it. The person can sign in again.
        </p>
      </Card>
    </>,
  );
}

export async function endSignIn(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  requireSure(ctx);
  await revokeGrant(ctx.state.portal.db, owner, { appId: app.id }, ctx.params.grant ?? '');
  throw new SeeOther(`${appPath(app, 'sign-ins')}?done=grant-revoked`);
}
