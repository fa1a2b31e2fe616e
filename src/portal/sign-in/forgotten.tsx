import { createResetMail } from '../../auth/accounts/links.js';
import { Button, LinkButton } from '../../pages/components.js';
import { field } from '../../pages/context.js';
import { Field, Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';
import { deliver } from './deliver.js';
import { maxNameLength } from './form.js';

export function showForgotten(ctx: PortalContext): void {
  page(
    ctx,
    { title: 'Forgotten password', frame: 'narrow' },
    <>
      <h1>Forgotten your password?</h1>
      {ctx.state.portal.mailer ? <AskForMail /> : <WithoutMail />}
      <p class="small">
        <a href="/portal/sign-in">Back to sign-in</a>
      </p>
    </>,
  );
}

const AskForMail = () => (
  <>
    <p class="lead">We will send you a link to set a new one.</p>
    <Form action="/portal/forgotten-password" class="stack">
      <Field
        name="email"
        label="E-mail address"
        hint="Or your sign-in name, if it is not the address."
        autocomplete="username"
        autofocus
        maxLength={maxNameLength}
      />
      <Button>Send the link</Button>
    </Form>
  </>
);

/** The remedies on a server without mail. */
const WithoutMail = () => (
  <>
    <p class="lead">This server sends no e-mail, so another person must give you a link.</p>
    <p>
      <strong>An admin of your organization gave you the link with which you joined?</strong> Ask an
      admin there: they find “Make a reset link” under Members, as long as you belong to no other
      organization.
    </p>
    <p>
      <strong>Otherwise</strong> ask the operator of this server, who runs{' '}
      <code>lanyard user reset-password</code> with your sign-in name.
    </p>
  </>
);

/** Responds equally, and as quickly, whether or not the account exists. */
export async function takeForgotten(ctx: PortalContext): Promise<void> {
  if (!ctx.state.portal.mailer) return showForgotten(ctx);
  const name = field(ctx, 'email');
  await ctx.state.portal.limiter.count({ address: ctx.ip, account: `forgotten ${name}` });
  void sendReset(ctx, name).catch((err: unknown) =>
    ctx.state.portal.log.error({ err, requestId: ctx.state.requestId }, 'no reset link was made'),
  );
  page(
    ctx,
    { title: 'Check your e-mail', frame: 'narrow' },
    <>
      <h1>Check your e-mail</h1>
      <p>
        If there is an account for <strong>{name}</strong>, a link is on its way. It works once, for
        an hour. If nothing comes, look in your spam folder. We send one mail in half an hour at
        most, so a link of a moment ago is still the right one.
      </p>
      <p>
        <LinkButton href="/portal/sign-in" kind="plain">
          Back to sign-in
        </LinkButton>
      </p>
    </>,
  );
}

async function sendReset(ctx: PortalContext, name: string): Promise<void> {
  const { db, config } = ctx.state.portal;
  const link = await createResetMail(
    db,
    config,
    { userId: null, appId: null, requestId: ctx.state.requestId },
    name,
  );
  if (link) await deliver(ctx, link);
}
