import { deviceOf } from '../../auth/accounts/devices.js';
import { signInOptions } from '../../auth/accounts/passkeys.js';
import { field } from '../../pages/context.js';
import { browserSecret } from '../../pages/csrf.js';
import { type PortalContext, type PortalRoute, SeeOther } from '../route.js';
import { showForgotten, takeForgotten } from './forgotten.js';
import { showSignIn } from './form.js';
import { showLink, takeLink } from './link.js';
import { byPasskey, byPassword, type Prove, proceed } from './prove.js';
import { goOn, leave } from './session.js';

const action = '/portal/sign-in';

export const signInRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: action, handler: askToSignIn },
  { method: 'POST', path: action, handler: (ctx) => signIn(ctx, byPassword) },
  { method: 'POST', path: `${action}/passkey`, handler: (ctx) => signIn(ctx, byPasskey) },
  { method: 'POST', path: `${action}/challenge`, handler: giveChallenge },
  { method: 'POST', path: '/portal/sign-out', handler: signOut },
  { method: 'GET', path: '/portal/links/:secret', handler: showLink },
  { method: 'POST', path: '/portal/links/:secret', handler: takeLink },
  { method: 'GET', path: '/portal/forgotten-password', handler: showForgotten },
  { method: 'POST', path: '/portal/forgotten-password', handler: takeForgotten },
];

function askToSignIn(ctx: PortalContext): void {
  const next = new URLSearchParams(ctx.querystring).get('next') ?? '/portal';
  if (ctx.state.session) goOn(ctx, next);
  showSignIn(ctx, { action, next });
}

function signIn(ctx: PortalContext, prove: Prove): Promise<void> {
  const next = field(ctx, 'next');
  return proceed(ctx, prove, { action, next }, () => goOn(ctx, next));
}

/** For passkeys.js. Rate-limited, since each call stores a challenge. */
async function giveChallenge(ctx: PortalContext): Promise<void> {
  const { db, config, limiter } = ctx.state.portal;
  const device = deviceOf(ctx, config);
  await limiter.count({
    address: ctx.ip,
    ...(device && { account: 'challenge', deviceId: device.id }),
  });
  ctx.body = await signInOptions(db, config, browserSecret(ctx, config));
}

/** Redirects to the sign-in page, with the form's destination. */
async function signOut(ctx: PortalContext): Promise<void> {
  await leave(ctx);
  const next = field(ctx, 'next');
  throw new SeeOther(next ? `${action}?next=${encodeURIComponent(next)}` : action);
}
