/**
 * The portal: pages under /portal, the dashboard, the GraphQL explorers, and their files under
 * /assets.
 */
import type { Router } from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { InvitationLimiter } from '../auth/accounts/invitation-limits.js';
import { SignInLimiter } from '../auth/accounts/limits.js';
import { createMailer } from '../auth/accounts/mail.js';
import { sessionOf } from '../auth/accounts/sessions.js';
import { toApiError } from '../http/error-mapping.js';
import { readForm } from '../http/form.js';
import { createRouter, templateOf } from '../http/router.js';
import { browserSecret, csrfTokenOf, requireOwnForm } from '../pages/csrf.js';
import { showError } from '../pages/error.js';
import { accountRoutes } from './account/routes.js';
import { approvalRoutes } from './approvals/routes.js';
import { appRoutes } from './apps/routes.js';
import { createAssets } from './assets.js';
import { auditRoutes } from './audit/routes.js';
import { consentRoutes } from './consent/routes.js';
import { dashboardRoutes } from './dashboard/routes.js';
import { explorerRoutes } from './explorer/routes.js';
import { homeRoutes } from './home.js';
import { invitationRoutes } from './invitations/routes.js';
import { languageRoutes } from './language.js';
import { memberRoutes } from './members/routes.js';
import {
  type Portal,
  type PortalContext,
  type PortalDeps,
  type PortalRoute,
  type PortalState,
  SeeOther,
} from './route.js';
import { signInRoutes } from './sign-in/routes.js';

/** All pages and forms. */
export const routes: readonly PortalRoute[] = [
  ...homeRoutes,
  ...languageRoutes,
  ...dashboardRoutes,
  ...explorerRoutes,
  ...signInRoutes,
  ...consentRoutes,
  ...accountRoutes,
  ...appRoutes,
  ...approvalRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...auditRoutes,
];

export interface PortalServer {
  /** The pages and forms, and their files. */
  readonly routers: readonly Router[];
  close(): Promise<void>;
}

export async function createPortal(deps: PortalDeps): Promise<PortalServer> {
  const mailer = await createMailer(deps.config);
  const portal: Portal = {
    ...deps,
    mailer,
    limiter: new SignInLimiter(deps.db),
    invitationLimiter: new InvitationLimiter(deps.db),
  };
  const router = createRouter();
  router.use(visit(portal));
  for (const { method, path, handler } of routes)
    router.register(path, [method], (ctx) => handler(ctx as unknown as PortalContext), {
      name: templateOf(path),
    });
  return {
    routers: [router, createAssets()],
    async close() {
      mailer?.close();
    },
  };
}

/** Sets the state of a page, and shows its errors as pages. */
const visit =
  (portal: Portal): Middleware =>
  async (ctx, next) => {
    const { requestId } = ctx.state;
    const state: PortalState = {
      portal,
      requestId,
      session: undefined,
      csrf: '',
      form: new URLSearchParams(),
    };
    const page = Object.assign(ctx, { state }) as unknown as PortalContext;
    try {
      await prepare(page);
      await next();
    } catch (thrown) {
      if (thrown instanceof SeeOther) return redirect(ctx, thrown.location);
      showError(page, toApiError(thrown, portal.log, requestId));
    }
  };

async function prepare(ctx: PortalContext): Promise<void> {
  const { config, db } = ctx.state.portal;
  const session = await sessionOf(ctx, config, db);
  const csrf = csrfTokenOf(browserSecret(ctx, config));
  // Set before anything can fail, so that error pages have the navigation.
  Object.assign(ctx.state, { session, csrf });
  if (ctx.method !== 'POST') return;
  const form = await readForm(ctx.req);
  requireOwnForm(ctx, config, csrf, form);
  Object.assign(ctx.state, { form });
}

function redirect(ctx: ParameterizedContext, location: string): void {
  ctx.redirect(location);
  ctx.status = 303;
}
