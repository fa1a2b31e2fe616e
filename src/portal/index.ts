/** The portal: pages for people under /portal, the dashboard, and what they load under /assets. */
import findMyWay from 'find-my-way';
import type { ParameterizedContext } from 'koa';
import { SignInLimiter } from '../auth/people/limits.js';
import { createMailer } from '../auth/people/mail.js';
import { sessionOf } from '../auth/people/sessions.js';
import { toApiError } from '../edge/failure.js';
import { readForm } from '../edge/form.js';
import { ApiError } from '../errors.js';
import { accountRoutes } from './account/routes.js';
import { approvalRoutes } from './approvals/routes.js';
import { appRoutes } from './apps/routes.js';
import { createAssets } from './assets.js';
import { auditRoutes } from './audit/routes.js';
import { consentRoutes } from './consent/routes.js';
import { browserSecret, csrfTokenOf, requireOwnForm } from './csrf.js';
import { dashboardRoutes } from './dashboard/routes.js';
import { showError } from './error.js';
import { homeRoutes } from './home.js';
import { memberRoutes } from './members/routes.js';
import { type Portal, type PortalContext, type PortalDeps, type PortalRoute, SeeOther } from './route.js';
import { signInRoutes } from './sign-in/routes.js';

/** Every page, and every form. */
export const routes: readonly PortalRoute[] = [
  ...homeRoutes,
  ...dashboardRoutes,
  ...signInRoutes,
  ...consentRoutes,
  ...accountRoutes,
  ...appRoutes,
  ...approvalRoutes,
  ...memberRoutes,
  ...auditRoutes,
];

/** Whether {@link PortalServer.handle} answers for the path. */
export const isPortalPath = (path: string): boolean => /^\/(portal(\/|$)|dashboard$|assets\/)/.test(path);

export interface PortalServer {
  /** Answers a request for one of {@link isPortalPath}. */
  handle(ctx: ParameterizedContext, requestId: string): Promise<void>;
  close(): Promise<void>;
}

export async function createPortal(deps: PortalDeps): Promise<PortalServer> {
  const mailer = await createMailer(deps.config);
  const portal: Portal = { ...deps, mailer, limiter: new SignInLimiter(deps.db) };
  const sendAsset = createAssets();
  const router = findMyWay({ caseSensitive: true, maxParamLength: 1000 });
  for (const route of routes) router.on(route.method, route.path, () => {}, route);

  return {
    async handle(ctx, requestId) {
      if (ctx.path.startsWith('/assets/')) return sendAsset(ctx);
      const visit = ctx as PortalContext;
      visit.state = { portal, requestId, session: undefined, csrf: '', params: {}, form: new URLSearchParams() };
      try {
        await answer(visit, router);
      } catch (thrown) {
        if (thrown instanceof SeeOther) return redirect(visit, thrown.location);
        showError(visit, toApiError(thrown, deps.log, requestId));
      }
    },
    async close() {
      mailer?.close();
    },
  };
}

async function answer(ctx: PortalContext, router: findMyWay.Instance<findMyWay.HTTPVersion.V1>): Promise<void> {
  const { config, db } = ctx.state.portal;
  const session = await sessionOf(ctx, config, db);
  const csrf = csrfTokenOf(browserSecret(ctx, config));
  // Known before anything can fail, so that the page of an error has its navigation.
  Object.assign(ctx.state, { session, csrf });
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  const found = router.find(method as 'GET', ctx.path);
  if (!found) throw new ApiError('not_found', 'There is no such page. Check the address, or start from the portal.');
  const form = method === 'POST' ? await readForm(ctx.req) : ctx.state.form;
  if (method === 'POST') requireOwnForm(ctx, config, csrf, form);
  Object.assign(ctx.state, { params: found.params, form });
  await (found.store as PortalRoute).handler(ctx);
}

function redirect(ctx: ParameterizedContext, location: string): void {
  ctx.redirect(location);
  ctx.status = 303;
}
