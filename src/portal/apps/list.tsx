/** The person's apps, and a form for a new one. */
import { appsOf, registerApp } from '../../auth/apps/registry.js';
import type { AppInput } from '../../auth/apps/rules.js';
import { type Problems, problemsOf } from '../../errors.js';
import { Button, Card, Empty, LinkButton } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Done } from '../../pages/tabs.js';
import { actorOf } from '../organization.js';
import { type PortalContext, requireUser, SeeOther } from '../route.js';
import { AppFields, readAppForm } from './form.js';
import { AppTags, appPath } from './frame.js';
import { showOverview } from './overview.js';

export async function showApps(ctx: PortalContext): Promise<void> {
  const apps = await appsOf(ctx.state.portal.db, requireUser(ctx).id);
  page(
    ctx,
    { isEnglish: true, title: 'Apps' },
    <>
      <h1>Your apps</h1>
      <Done ctx={ctx} />
      <p class="lead">
        An app signs people in and works with their organizations' safety records, through REST or
        GraphQL.
      </p>
      <p class="actions">
        <LinkButton href="/portal/apps/new">Register an app</LinkButton>
      </p>
      <Card title="Registered">
        {apps.length === 0 ? (
          <Empty>You have no apps yet.</Empty>
        ) : (
          <ul class="rows">
            {apps.map((app) => (
              <li>
                <div>
                  <a href={appPath(app)}>
                    <strong>{app.name}</strong>
                  </a>{' '}
                  <AppTags {...app} />
                  <p class="muted small">
                    <code>{app.clientId}</code> ·{' '}
                    {app.apiScopes.length === 0
                      ? 'sign-in only'
                      : app.apiScopes.length === 1
                        ? '1 API scope'
                        : `${app.apiScopes.length} API scopes`}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </>,
  );
}

const blank: AppInput = {
  name: '',
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUris: [],
  apiScopes: [],
};

export function showNewApp(ctx: PortalContext, input = blank, problems?: Problems): void {
  requireUser(ctx);
  page(
    ctx,
    { isEnglish: true, title: 'Register an app', status: problems ? 422 : 200 },
    <>
      <h1>Register an app</h1>
      <p class="lead">
        You get a client id and, for an app on a server, a secret. You can change all settings
        later.
      </p>
      <Card title="About the app">
        <Form action="/portal/apps">
          <AppFields app={input} problems={problems} />
          <p class="actions">
            <Button>Register</Button>
            <LinkButton href="/portal/apps" kind="plain">
              Cancel
            </LinkButton>
          </p>
        </Form>
      </Card>
    </>,
  );
}

export async function createApp(ctx: PortalContext): Promise<void> {
  const input = readAppForm(ctx);
  const owner = actorOf(ctx);
  try {
    const { id, secret } = await registerApp(ctx.state.portal.db, owner, input);
    if (!secret) throw new SeeOther(`${appPath({ id })}?done=registered`);
    await showOverview(ctx, id, secret);
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    showNewApp(ctx, input, problems);
  }
}
