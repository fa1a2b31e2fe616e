/**
 * Changes an app. New scopes, and the organizations that must approve them, are shown before they
 * are saved.
 */
import { approvingOrganizations } from '../../auth/apps/approvals.js';
import { type RegisteredApp, updateApp } from '../../auth/apps/registry.js';
import {
  type AppInput,
  type AppSettings,
  addedScopes,
  checkSettings,
} from '../../auth/apps/rules.js';
import { scopes } from '../../auth/scopes.js';
import { type Problems, problemsOf } from '../../errors.js';
import { Button, Card, LinkButton, Notice } from '../../pages/components.js';
import { field } from '../../pages/context.js';
import { Form, isSure } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { type PortalContext, SeeOther } from '../route.js';
import { AppFields, readAppForm } from './form.js';
import { AppTabs, appPath, requireApp } from './frame.js';
import { showOverview } from './overview.js';

export async function showSettings(ctx: PortalContext): Promise<void> {
  const { app } = await requireApp(ctx);
  showForm(ctx, app, app);
}

function showForm(
  ctx: PortalContext,
  app: RegisteredApp,
  input: AppInput,
  problems?: Problems,
): void {
  page(
    ctx,
    { isEnglish: true, title: `Settings of ${app.name}`, status: problems ? 422 : 200 },
    <>
      <AppTabs ctx={ctx} app={app} current="settings" />
      <Card title="Settings">
        <Form action={appPath(app, 'settings')}>
          <AppFields app={input} problems={problems} />
          <p class="hint">
            A scope that you remove stops working at once, wherever it was approved. A scope that
            you add works in an organization once an admin there approves it. An app that becomes
            public loses its secrets.
          </p>
          <p class="actions">
            <Button>Save</Button>
          </p>
        </Form>
      </Card>
    </>,
  );
}

export async function saveSettings(ctx: PortalContext): Promise<void> {
  const { app, owner } = await requireApp(ctx);
  const { db } = ctx.state.portal;
  const input = readAppForm(ctx);
  try {
    const settings = checkSettings(input);
    const added = addedScopes(app.apiScopes, settings.apiScopes);
    const organizations =
      added.length > 0 && !app.isFirstParty ? await approvingOrganizations(db, app.id) : [];
    // The confirmation applies only to the scopes that were shown.
    if (organizations.length > 0 && field(ctx, 'confirmed') !== added.join(' '))
      return showWidening(ctx, app, settings, organizations);
    const becomesPublic =
      app.tokenEndpointAuthMethod !== 'none' && settings.tokenEndpointAuthMethod === 'none';
    if (becomesPublic && !isSure(ctx))
      return showBecomesPublic(ctx, app, settings, field(ctx, 'confirmed'));
    const { secret } = await updateApp(db, owner, app.id, settings);
    if (secret) return showOverview(ctx, app.id, secret);
  } catch (error) {
    const problems = problemsOf(error);
    if (!problems) throw error;
    return showForm(ctx, app, input, problems);
  }
  throw new SeeOther(`${appPath(app, 'settings')}?done=saved`);
}

function showWidening(
  ctx: PortalContext,
  app: RegisteredApp,
  settings: AppSettings,
  organizations: readonly { id: string; name: string }[],
): void {
  const added = addedScopes(app.apiScopes, settings.apiScopes);
  page(
    ctx,
    { isEnglish: true, title: `${app.name} asks for more` },
    <>
      <AppTabs ctx={ctx} app={app} current="settings" />
      <Card title="Organizations must approve this">
        <Notice kind="warning">
          <p>
            {app.name} will ask for more than was approved. Until an admin approves it, the API
            answers <code>approval_required</code> there for what is new; what was approved keeps
            working.
          </p>
        </Notice>
        <h3>New</h3>
        <ul class="scopes">
          {added.map((scope) => (
            <li>
              {scopes[scope]} <code class="muted small">{scope}</code>
            </li>
          ))}
        </ul>
        <h3>Must approve again</h3>
        <ul>
          {organizations.map(({ name }) => (
            <li>{name}</li>
          ))}
        </ul>
        <Form action={appPath(app, 'settings')}>
          <Carried {...settings} />
          <p class="actions">
            <Button name="confirmed" value={added.join(' ')}>
              Save, and ask them
            </Button>
            <LinkButton href={appPath(app, 'settings')} kind="plain">
              Cancel
            </LinkButton>
          </p>
        </Form>
      </Card>
    </>,
  );
}

function showBecomesPublic(
  ctx: PortalContext,
  app: RegisteredApp,
  settings: AppSettings,
  confirmed: string,
): void {
  page(
    ctx,
    { isEnglish: true, title: `${app.name} becomes public` },
    <>
      <AppTabs ctx={ctx} app={app} current="settings" />
      <Card title="End its secrets?">
        <Notice kind="warning">
          A public app has no secret. Those of {app.name} end at once, and every server that uses
          one can't get tokens any more. This can't be undone.
        </Notice>
        <Form action={appPath(app, 'settings')}>
          <Carried {...settings} />
          <input type="hidden" name="confirmed" value={confirmed} />
          <p class="actions">
            <Button kind="danger" name="sure" value="yes">
              Make it public
            </Button>
            <LinkButton href={appPath(app, 'settings')} kind="plain">
              Cancel
            </LinkButton>
          </p>
        </Form>
      </Card>
    </>,
  );
}

/** The fields that a confirmation form sends again. */
const Carried = ({ name, tokenEndpointAuthMethod, redirectUris, apiScopes }: AppSettings) => (
  <>
    <input type="hidden" name="name" value={name} />
    <input type="hidden" name="method" value={tokenEndpointAuthMethod} />
    <input type="hidden" name="redirectUris" value={redirectUris.join('\n')} />
    {apiScopes.map((scope) => (
      <input type="hidden" name="scope" value={scope} />
    ))}
  </>
);
