/** The two ways to prove who one is. */
import { checkPasskey } from '../../auth/people/passkeys.js';
import { checkPassword } from '../../auth/people/sign-in.js';
import { ApiError } from '../../errors.js';
import { browserSecret } from '../csrf.js';
import { field, type PortalContext } from '../route.js';
import { type SignIn, showSignIn } from './form.js';
import { begin } from './session.js';

/** Signs the browser in with what the form says. @returns The user's id. @throws {ApiError} that says why not. */
export type Prove = (ctx: PortalContext) => Promise<string>;

export const byPassword: Prove = async (ctx) => {
  const { db, limiter } = ctx.state.portal;
  const userId = await checkPassword(db, limiter, field(ctx, 'email'), ctx.state.form.get('password') ?? '', ctx.ip);
  await begin(ctx, userId, 'password');
  return userId;
};

export const byPasskey: Prove = async (ctx) => {
  const { db, config } = ctx.state.portal;
  const userId = await checkPasskey(db, config, browserSecret(ctx, config), field(ctx, 'credential'));
  await begin(ctx, userId, 'passkey');
  return userId;
};

/** Proves, and goes onward; shows the form again when that is refused. */
export async function proceed(
  ctx: PortalContext,
  prove: Prove,
  signIn: SignIn,
  onward: (userId: string) => void | Promise<void>,
): Promise<void> {
  let userId: string;
  try {
    userId = await prove(ctx);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return showSignIn(ctx, { ...signIn, email: field(ctx, 'email') }, error);
  }
  await onward(userId);
}
