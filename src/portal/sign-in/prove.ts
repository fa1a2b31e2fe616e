/** The two authentication methods. */
import { deviceOf } from '../../auth/accounts/devices.js';
import { checkPasskey, credentialIdOf } from '../../auth/accounts/passkeys.js';
import { checkPassword } from '../../auth/accounts/sign-in.js';
import { ApiError } from '../../errors.js';
import { field } from '../../pages/context.js';
import { browserSecret } from '../../pages/csrf.js';
import { audited } from '../audited.js';
import type { PortalContext } from '../route.js';
import { type SignIn, showSignIn } from './form.js';
import { begin } from './session.js';

/**
 * Signs the browser in with the form's credentials.
 * @returns The user's id.
 * @throws {ApiError} with the reason for a refusal.
 */
export type Prove = (ctx: PortalContext) => Promise<string>;

export const byPassword: Prove = async (ctx) => {
  const { db, config, limiter } = ctx.state.portal;
  const email = field(ctx, 'email');
  const proof = await audited(ctx, 'fail_sign_in', { email }, 'wrong_password', () =>
    checkPassword(db, limiter, email, ctx.state.form.get('password') ?? '', {
      address: ctx.ip,
      device: deviceOf(ctx, config),
    }),
  );
  await begin(ctx, proof);
  return proof.userId;
};

export const byPasskey: Prove = async (ctx) => {
  const { db, config } = ctx.state.portal;
  const credential = field(ctx, 'credential');
  const proof = await audited(
    ctx,
    'fail_sign_in',
    { credentialId: credentialIdOf(credential) },
    'wrong_passkey',
    () => checkPasskey(db, config, browserSecret(ctx, config), credential),
  );
  await begin(ctx, proof);
  return proof.userId;
};

/** Authenticates and continues; shows the form again after a failure. */
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
