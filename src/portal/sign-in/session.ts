/** From a proven user to a signed-in browser, and back. */
import { writeCookie } from '../../auth/people/cookies.js';
import { browserOf, endSession, type SignInMethod } from '../../auth/people/sessions.js';
import { enter } from '../../auth/people/sign-in.js';
import { type PortalContext, SeeOther } from '../route.js';

/** Signs the browser in, in place of whoever was. */
export async function begin(ctx: PortalContext, userId: string, method: SignInMethod): Promise<void> {
  const { portal, requestId } = ctx.state;
  const secret = await enter(portal.db, userId, method, browserOf(ctx), requestId);
  await leave(ctx);
  writeCookie(ctx, portal.config, 'session', secret);
}

/** Signs the browser out. */
export async function leave(ctx: PortalContext): Promise<void> {
  const { portal, session, requestId } = ctx.state;
  if (session) await endSession(portal.db, { userId: session.user.id, appId: null, requestId }, session.id);
  for (const name of ['session', 'visit'] as const) writeCookie(ctx, portal.config, name, null);
}

/** Leads to where the person was going: a path of the portal, or its home when it names anything else. */
export function goOn(ctx: PortalContext, next: string): never {
  const { BASE_URL } = ctx.state.portal.config;
  const { pathname, search } = new URL(URL.canParse(next, BASE_URL) ? next : '/portal', BASE_URL);
  // Of an address elsewhere, too, only the path is taken.
  throw new SeeOther(/^\/portal(\/|$)/.test(pathname) ? pathname + search : '/portal');
}
