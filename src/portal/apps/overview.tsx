/** The start page of an app: values to copy, its secrets, and how to disable it. */
import { ownedApp, type RegisteredApp } from '../../auth/apps/registry.js';
import { secretsOf } from '../../auth/apps/secrets.js';
import { issuerOf } from '../../auth/principal.js';
import { scopes } from '../../auth/scopes.js';
import { Button, Card, LinkButton, Notice } from '../../pages/components.js';
import { Confirm, CopyField, Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { actorOf } from '../organization.js';
import type { PortalContext } from '../route.js';
import { AppTabs, appPath } from './frame.js';
import { Secrets } from './secrets.js';

/** @param secret A new one, which is shown only once. */
export async function showOverview(
  ctx: PortalContext,
  appId: string,
  secret?: string,
): Promise<void> {
  const { db, config } = ctx.state.portal;
  const app = await ownedApp(db, actorOf(ctx).userId, appId);
  const secrets = app.tokenEndpointAuthMethod === 'none' ? undefined : await secretsOf(db, appId);
  page(
    ctx,
    { isEnglish: true, title: app.name },
    <>
      <AppTabs ctx={ctx} app={app} current="overview" />
      {secret && (
        <Notice kind="good">
          <p>
            This is the new secret of {app.name}. Copy it now: Lanyard stores only a hash, so it
            cannot be shown again.
          </p>
          <CopyField id="secret" label="Client secret" value={secret} />
        </Notice>
      )}
      <Card title="Connect">
        <CopyField id="client-id" label="Client id" value={app.clientId} />
        <CopyField
          id="discovery"
          label="Discovery document"
          value={`${issuerOf(config)}/.well-known/openid-configuration`}
        />
        <p class="actions">
          <LinkButton href="/v1/openapi.json" kind="plain">
            API description
          </LinkButton>
        </p>
      </Card>
      {secrets && <Secrets app={app} secrets={secrets} />}
      <Asks {...app} />
      <TurnOff app={app} />
    </>,
  );
}

const Asks = ({ apiScopes, isFirstParty }: RegisteredApp) => (
  <Card title="What it asks for">
    {apiScopes.length === 0 ? (
      <p>Sign-in only: no API scopes.</p>
    ) : (
      <ul class="scopes">
        {apiScopes.map((scope) => (
          <li>
            {scopes[scope]} <code class="muted small">{scope}</code>
          </li>
        ))}
      </ul>
    )}
    {apiScopes.length > 0 && (
      <p class="hint">
        {isFirstParty
          ? 'The operator of this server marked the app as first-party: it needs no approval.'
          : 'An organization shows the app to its admins, for approval, when a member first signs in through it.'}
      </p>
    )}
  </Card>
);

const TurnOff = ({ app }: { app: RegisteredApp }) => {
  const isActive = app.status === 'active';
  return (
    <Card title={isActive ? 'Disable or delete' : 'Enable or delete'}>
      <div class="actions">
        {isActive ? (
          <Confirm
            action={`${appPath(app)}/status`}
            text="Disable"
            about="Its tokens are refused at once, and no one can sign in through it. Nothing is lost."
            button={`Disable ${app.name}`}
            name="status"
            value="disabled"
          />
        ) : (
          <Form action={`${appPath(app)}/status`}>
            <Button kind="plain" name="status" value="active">
              Enable
            </Button>
          </Form>
        )}
        <Confirm
          action={`${appPath(app)}/delete`}
          text="Delete"
          about="Deletes the app with its secrets, approvals and sign-ins. This cannot be undone."
          button={`Delete ${app.name} for good`}
        />
      </div>
      <p class="hint">
        {isActive
          ? 'While an app is disabled its tokens are refused, and no one can sign in through it. Nothing is lost.'
          : 'The app is disabled: its tokens are refused, and no one can sign in through it.'}
      </p>
    </Card>
  );
};
