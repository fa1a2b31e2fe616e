/** The pages of an authorization request: sign-in, and consent. */
import type { InteractionDetails } from '../../auth/oauth/interactions.js';
import { ApiError } from '../../errors.js';
import { Button } from '../../pages/components.js';
import { PageError } from '../../pages/context.js';
import { Form } from '../../pages/forms.js';
import { textsOf } from '../../pages/language.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { type SignIn, showSignIn } from '../sign-in/form.js';
import { byPasskey, byPassword, type Prove, proceed } from '../sign-in/prove.js';
import { leave } from '../sign-in/session.js';
import { readConsent } from './consent-statements.js';
import { showConsent } from './page.js';

const at = '/portal/interactions/:uid';

export const consentRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: at, handler: ask },
  { method: 'POST', path: `${at}/sign-in`, handler: (ctx) => signIn(ctx, byPassword) },
  { method: 'POST', path: `${at}/sign-in/passkey`, handler: (ctx) => signIn(ctx, byPasskey) },
  { method: 'POST', path: `${at}/allow`, handler: allow },
  { method: 'POST', path: `${at}/deny`, handler: deny },
  { method: 'POST', path: `${at}/switch`, handler: switchAccount },
];

async function requireInteraction(ctx: PortalContext): Promise<InteractionDetails> {
  const interaction = await ctx.state.portal.oauth.interactions.details(ctx);
  if (!interaction)
    throw new PageError(
      'not_found',
      'Start again from the app',
      'This sign-in took too long, is already finished, or was started in another browser: go back to the app and start again.',
    );
  return interaction;
}

async function ask(ctx: PortalContext): Promise<void> {
  const interaction = await requireInteraction(ctx);
  const { session, portal } = ctx.state;
  if (interaction.prompt === 'login' || !session)
    return showSignIn(ctx, signInOf(ctx, interaction));
  const consent = await readConsent(portal.db, interaction.clientId, session.user.id);
  if (consent.isFirstParty) return portal.oauth.interactions.consent(ctx);
  showConsent(ctx, interaction, session.user, consent);
}

const signInOf = (ctx: PortalContext, { uid, appName, loginHint }: InteractionDetails): SignIn => ({
  action: `/portal/interactions/${uid}/sign-in`,
  appName,
  ...(loginHint !== undefined && { email: loginHint }),
  below: (
    <Form action={`/portal/interactions/${uid}/deny`} class="stack">
      <Button kind="quiet">{textsOf(ctx).signIn.cancel(appName)}</Button>
    </Form>
  ),
});

async function signIn(ctx: PortalContext, prove: Prove): Promise<void> {
  const interaction = await requireInteraction(ctx);
  await proceed(ctx, prove, signInOf(ctx, interaction), (userId) =>
    ctx.state.portal.oauth.interactions.login(ctx, userId),
  );
}

async function allow(ctx: PortalContext): Promise<void> {
  const { prompt } = await requireInteraction(ctx);
  if (prompt !== 'consent' || !ctx.state.session) throw new ApiError('forbidden', 'Sign in first.');
  await ctx.state.portal.oauth.interactions.consent(ctx);
}

/** "Not you?": signs out, and asks for another sign-in. */
async function switchAccount(ctx: PortalContext): Promise<void> {
  await ctx.state.portal.oauth.interactions.restart(ctx);
  await leave(ctx);
}

async function deny(ctx: PortalContext): Promise<void> {
  await requireInteraction(ctx);
  await ctx.state.portal.oauth.interactions.deny(ctx);
}
