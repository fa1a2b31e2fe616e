/** The code flow of an app, run in the developer's own browser by public/try.js. */
import { type RegisteredApp, updateApp } from '../../auth/apps/registry.js';
import { issuerOf } from '../../auth/principal.js';
import { Button, Card, Notice } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { type PortalContext, SeeOther } from '../route.js';
import { AppTabs, appPath, requireApp } from './frame.js';

export async function showTry(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  const { config } = ctx.state.portal;
  const redirectUri = `${config.BASE_URL}${appPath(app, 'try')}`;
  const isReady = app.redirectUris.includes(redirectUri) && app.status === 'active';
  page(
    ctx,
    { isEnglish: true, title: `Try ${app.name}`, scripts: isReady ? ['try.js'] : [] },
    <>
      <AppTabs ctx={ctx} app={app} current="try" />
      {isReady ? (
        <Steps
          app={app}
          base={config.BASE_URL}
          issuer={issuerOf(config)}
          redirectUri={redirectUri}
        />
      ) : (
        <NotReady app={app} redirectUri={redirectUri} />
      )}
    </>,
  );
}

/** Registers this page as a redirect URI of the app. */
export async function allowTry(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const redirectUri = `${ctx.state.portal.config.BASE_URL}${appPath(app, 'try')}`;
  if (!app.redirectUris.includes(redirectUri)) {
    await updateApp(ctx.state.portal.db, owner, app.id, {
      ...app,
      redirectUris: [...app.redirectUris, redirectUri],
    });
  }
  throw new SeeOther(appPath(app, 'try'));
}

const NotReady = ({ app, redirectUri }: { app: RegisteredApp; redirectUri: string }) =>
  app.status === 'disabled' ? (
    <Notice kind="warning">The app is disabled: enable it to try it.</Notice>
  ) : (
    <Card title="One thing first">
      <p>
        This page signs you in through {app.name}, as your own code will. For that it must be among
        the app's redirect URIs. Remove it in the settings whenever you like.
      </p>
      <p>
        <code>{redirectUri}</code>
      </p>
      <Form action={appPath(app, 'try')}>
        <Button>Add it and continue</Button>
      </Form>
    </Card>
  );

const Steps = ({
  app,
  base,
  issuer,
  redirectUri,
}: {
  app: RegisteredApp;
  base: string;
  issuer: string;
  redirectUri: string;
}) => (
  <div
    id="try"
    data-base={base}
    data-issuer={issuer}
    data-client-id={app.clientId}
    data-method={app.tokenEndpointAuthMethod}
    data-redirect-uri={redirectUri}
  >
    <noscript>
      <Notice kind="warning">
        This page needs JavaScript: it acts as your app in the browser.
      </Notice>
    </noscript>
    <div id="trouble" role="alert" class="notice bad" hidden />
    <Card title="1. Sign in">
      <p>
        The browser goes to the authorization endpoint with a PKCE challenge and a random state, and
        comes back with a code.
      </p>
      <p class="actions">
        {/* The script enables it once it listens. */}
        <button type="button" class="button primary" id="start" disabled>
          Sign in through {app.name}
        </button>
      </p>
    </Card>
    <Card title="2. Exchange the code" id="exchange">
      <p>
        The app exchanges the code and the PKCE verifier for an access token, which lasts ten
        minutes, and a refresh token, which brings the next one.
      </p>
      {app.tokenEndpointAuthMethod !== 'none' && (
        <form id="secret-form" hidden>
          <div class="field">
            <label for="secret">Client secret</label>
            <p class="hint">
              It goes from this page to the token endpoint, and nowhere else. In your app it stays
              on your server.
            </p>
            <input id="secret" type="password" autocomplete="off" required />
          </div>
          <Button>Exchange</Button>
        </form>
      )}
      <Output id="token-response" label="Token response" />
      <div id="issued" hidden>
        <h3>Claims of the access token</h3>
        <Output id="claims" label="Claims of the access token" />
      </div>
    </Card>
    <Card title="3. Call the API">
      <p>
        The same query in both styles: the user of this token, and the organizations in which its
        app awaits approval.
      </p>
      <div id="calls" hidden>
        <h3>REST</h3>
        <Output id="rest-call" label="REST call" />
        <Output id="rest-answer" label="REST answer" />
        <h3>GraphQL</h3>
        <Output id="graphql-call" label="GraphQL call" />
        <Output id="graphql-answer" label="GraphQL answer" />
      </div>
    </Card>
  </div>
);

/** Filled in by the script. Long lines scroll, also by keyboard. */
const Output = ({ id, label }: { id: string; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: must scroll by keyboard too
  <section id={id} class="output" aria-label={label} tabIndex={0} hidden />
);
