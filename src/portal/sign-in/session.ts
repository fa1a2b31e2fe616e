/** Signs browsers in and out. */
import { writeCookie } from '../../auth/accounts/cookies.js';
import { rememberDevice } from '../../auth/accounts/devices.js';
import { settleDue } from '../../auth/accounts/memberships.js';
import { browserOf, endSession } from '../../auth/accounts/sessions.js';
import { enter, type Proof } from '../../auth/accounts/sign-in.js';
import { afterAnswer } from '../../http/background.js';
import { type PortalContext, SeeOther } from '../route.js';

/** Signs the browser in, replacing another session. */
export async function begin(ctx: PortalContext, proof: Proof): Promise<void> {
  const { portal, requestId } = ctx.state;
  const secret = await enter(portal.db, proof, browserOf(ctx), requestId);
  await leave(ctx);
  writeCookie(ctx, portal.config, 'session', secret);
  rememberDevice(ctx, portal.config, proof.userId);
}

/**
 * After an address was proven: memberships of accounts that lost it return to `invited`, after the
 * response.
 */
export function settleAfterwards(ctx: PortalContext): void {
  const { portal, requestId } = ctx.state;
  const failed = (err: unknown) =>
    portal.log.error({ err, requestId }, 'a membership could not be settled');
  afterAnswer(ctx.res, portal.log, requestId, () => settleDue(portal.db, failed));
}

/** Signs the browser out. */
export async function leave(ctx: PortalContext): Promise<void> {
  const { portal, session, requestId } = ctx.state;
  if (session)
    await endSession(portal.db, { userId: session.user.id, appId: null, requestId }, session.id);
  for (const name of ['session', 'visit'] as const) writeCookie(ctx, portal.config, name, null);
}

/** Redirects to the person's destination: a path of the portal, or its home for anything else. */
export function goOn(ctx: PortalContext, next: string): never {
  const { BASE_URL } = ctx.state.portal.config;
  const { pathname, search } = new URL(URL.canParse(next, BASE_URL) ? next : '/portal', BASE_URL);
  // Of a URL on another host, only the path is used.
  throw new SeeOther(/^\/portal(\/|$)/.test(pathname) ? pathname + search : '/portal');
}
