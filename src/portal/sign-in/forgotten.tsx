import { createLink } from '../../auth/people/links.js';
import { ApiError } from '../../errors.js';
import { Button, LinkButton } from '../components.js';
import { Field, Form } from '../forms.js';
import { page } from '../page.js';
import { field, type PortalContext } from '../route.js';
import { deliver } from './deliver.js';

/** Only where mail can be sent; without it, an operator prints the link. */
function requireMailer(ctx: PortalContext): void {
  if (!ctx.state.portal.mailer) throw new ApiError('not_found', 'This server sends no mail: ask an admin of your organization for a link.');
}

export function showForgotten(ctx: PortalContext): void {
  requireMailer(ctx);
  page(
    ctx,
    { title: 'Forgotten password', frame: 'narrow' },
    <>
      <h1>Forgotten your password?</h1>
      <p class="lead">We will send you a link with which you choose a new one.</p>
      <Form action="/portal/forgotten-password" class="stack">
        <Field name="email" label="E-mail address" type="email" autocomplete="username" autofocus maxLength={320} />
        <Button>Send the link</Button>
      </Form>
      <p class="small">
        <a href="/portal/sign-in">Back to sign-in</a>
      </p>
    </>,
  );
}

/** Answers the same, and as quickly, whether there is such an account or not. */
export async function takeForgotten(ctx: PortalContext): Promise<void> {
  requireMailer(ctx);
  const email = field(ctx, 'email');
  await ctx.state.portal.limiter.count(ctx.ip, `forgotten ${email}`);
  void sendReset(ctx, email).catch((err: unknown) =>
    ctx.state.portal.log.error({ err, requestId: ctx.state.requestId }, 'no reset link was made'),
  );
  page(
    ctx,
    { title: 'Check your e-mail', frame: 'narrow' },
    <>
      <h1>Check your e-mail</h1>
      <p>
        If there is an account for <strong>{email}</strong>, a link is on its way. It works once, for an hour. If nothing comes, look in
        your spam folder.
      </p>
      <p>
        <LinkButton href="/portal/sign-in" kind="plain">
          Back to sign-in
        </LinkButton>
      </p>
    </>,
  );
}

async function sendReset(ctx: PortalContext, email: string): Promise<void> {
  const { db, config } = ctx.state.portal;
  const [user] = await db.query<{ id: string }>(`select id from users where lower(email) = lower($1) and status = 'active'`, [email]);
  if (!user) return;
  const link = await createLink(db, config, { userId: user.id, appId: null, requestId: ctx.state.requestId }, user.id, 'reset');
  await deliver(ctx, link);
}
