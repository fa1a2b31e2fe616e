/** The portal: pages for people under /portal, and what they load under /assets. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import findMyWay from 'find-my-way';
import type { ParameterizedContext } from 'koa';
import mount from 'koa-mount';
import serve from 'koa-static';
import { SignInLimiter } from '../auth/people/limits.js';
import { createMailer } from '../auth/people/mail.js';
import { sessionOf } from '../auth/people/sessions.js';
import { ApiError } from '../errors.js';
import { toApiError } from '../edge/failure.js';
import { packageRoot } from '../root.js';
import { accountRoutes } from './account/routes.js';
import { approvalRoutes } from './approvals/routes.js';
import { appRoutes } from './apps/routes.js';
import { auditRoutes } from './audit/routes.js';
import { consentRoutes } from './consent/routes.js';
import { browserSecret, csrfTokenOf, requireOwnForm } from './csrf.js';
import { showError } from './error.js';
import { readForm } from './form.js';
import { homeRoutes } from './home.js';
import { memberRoutes } from './members/routes.js';
import { type Portal, type PortalContext, type PortalDeps, type PortalRoute, type PortalState, SeeOther } from './route.js';
import { signInRoutes } from './sign-in/routes.js';

const routes: readonly PortalRoute[] = [
  ...homeRoutes,
  ...signInRoutes,
  ...consentRoutes,
  ...accountRoutes,
  ...appRoutes,
  ...approvalRoutes,
  ...memberRoutes,
  ...auditRoutes,
];

/** Whether {@link PortalServer.handle} answers for the path. */
export const isPortalPath = (path: string): boolean => /^\/($|portal(\/|$)|assets\/)/.test(path);

export interface PortalServer {
  /** Answers a request for one of {@link isPortalPath}. */
  handle(ctx: ParameterizedContext, requestId: string): Promise<void>;
  close(): Promise<void>;
}

export async function createPortal(deps: PortalDeps): Promise<PortalServer> {
  const mailer = createMailer(deps.config);
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
  const { portal, requestId } = ctx.state;
  const session = await sessionOf(ctx, portal.config, portal.db);
  const csrf = csrfTokenOf(browserSecret(ctx, portal.config));
  const state = { portal, requestId, session, csrf };
  ctx.state = { ...state, params: {}, form: new URLSearchParams() };
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
  const found = router.find(method as 'GET', ctx.path);
  if (!found) throw new ApiError('not_found', 'There is no such page.');
  const form = method === 'POST' ? await readForm(ctx.req) : new URLSearchParams();
  if (method === 'POST') requireOwnForm(ctx, portal.config, csrf, form);
  ctx.state = { ...state, params: found.params, form } satisfies PortalState;
  await (found.store as PortalRoute).handler(ctx);
}

function redirect(ctx: ParameterizedContext, location: string): void {
  ctx.redirect(location);
  ctx.status = 303;
}

/** The files of public/, and the browser half of the passkey library as its package ships it. */
function createAssets(): (ctx: ParameterizedContext) => Promise<void> {
  const options = { maxAge: 300_000 };
  const library = fileURLToPath(new URL('.', import.meta.resolve('@simplewebauthn/browser')));
  const passkeys = mount('/assets/simplewebauthn', serve(library, options));
  const own = mount('/assets', serve(join(packageRoot, 'public'), options));
  return async (ctx) => {
    try {
      await passkeys(ctx as never, () => own(ctx as never, async () => {}));
    } catch (error) {
      // A path that leads out of the folder, or isn't one.
      if (((error as { status?: number }).status ?? 500) >= 500) throw error;
      ctx.status = 404;
    }
  };
}
