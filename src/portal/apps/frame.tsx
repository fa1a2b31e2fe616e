/** Common parts of the pages of one app. */
import { ownedApp, type RegisteredApp } from '../../auth/apps/registry.js';
import { ApiError } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { Tag } from '../../pages/components.js';
import { Tabs } from '../../pages/tabs.js';
import { actorOf } from '../organization.js';
import type { PortalContext } from '../route.js';

const pages = {
  overview: 'Overview',
  settings: 'Settings',
  'sign-ins': 'Sign-ins',
  try: 'Try it',
  audit: 'Audit log',
};
export type AppPage = keyof typeof pages;

export const appPath = ({ id }: { readonly id: string }, name: AppPage = 'overview'): string =>
  `/portal/apps/${id}${name === 'overview' ? '' : `/${name}`}`;

/**
 * The app of the path's `:id`, and its signed-in owner.
 * @throws {ApiError} `not_found`.
 * @throws {SeeOther} to the sign-in page.
 */
export async function requireApp(ctx: PortalContext) {
  const owner = actorOf(ctx);
  const id = uuidOf(ctx.params.id);
  if (!id) throw new ApiError('not_found', 'You have no such app.');
  return { app: await ownedApp(ctx.state.portal.db, owner.userId, id), owner };
}

export const AppTabs = ({
  ctx,
  app,
  current,
}: {
  ctx: PortalContext;
  app: RegisteredApp;
  current: AppPage;
}) => (
  <Tabs
    ctx={ctx}
    title={app.name}
    aside={<AppTags {...app} />}
    label="App"
    tabs={Object.entries(pages).map(([name, text]) => ({
      href: appPath(app, name as AppPage),
      text,
    }))}
    current={appPath(app, current)}
  />
);

export const AppTags = ({ status, isFirstParty, tokenEndpointAuthMethod }: RegisteredApp) => (
  <>
    <Tag>{tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential'}</Tag>{' '}
    {isFirstParty && <Tag>first-party</Tag>}{' '}
    {status === 'disabled' && <Tag kind="bad">disabled</Tag>}
  </>
);
