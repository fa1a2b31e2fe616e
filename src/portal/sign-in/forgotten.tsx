import { createResetMail } from '../../auth/accounts/links.js';
import { Button, LinkButton } from '../../pages/components.js';
import { field } from '../../pages/context.js';
import { Field, Form } from '../../pages/forms.js';
import { Fill, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';
import { deliver } from './deliver.js';
import { maxNameLength } from './form.js';

export function showForgotten(ctx: PortalContext): void {
  const t = textsOf(ctx);
  page(
    ctx,
    { title: t.forgotten.title, frame: 'narrow' },
    <>
      <h1>{t.signIn.forgotten}</h1>
      {ctx.state.portal.mailer ? <AskForMail /> : <WithoutMail />}
      <p class="small">
        <a href="/portal/sign-in">{t.signIn.back}</a>
      </p>
    </>,
  );
}

const AskForMail = () => {
  const t = useTexts();
  return (
    <>
      <p class="lead">{t.forgotten.lead}</p>
      <Form action="/portal/forgotten-password" class="stack">
        <Field
          name="email"
          label={t.signIn.email}
          hint={t.forgotten.emailHint}
          autocomplete="username"
          autofocus
          maxLength={maxNameLength}
        />
        <Button>{t.forgotten.send}</Button>
      </Form>
    </>
  );
};

/** The remedies on a server without mail. */
const WithoutMail = () => {
  const t = useTexts().forgotten;
  return (
    <>
      <p class="lead">{t.withoutMail}</p>
      <p>
        <strong>{t.invited}</strong> {t.askAdmin}
      </p>
      <p>
        <strong>{t.otherwise}</strong>{' '}
        <Fill text={t.askOperator}>
          <code>lanyard user reset-password</code>
        </Fill>
      </p>
    </>
  );
};

/** Responds equally, and as quickly, whether or not the account exists. */
export async function takeForgotten(ctx: PortalContext): Promise<void> {
  if (!ctx.state.portal.mailer) return showForgotten(ctx);
  const name = field(ctx, 'email');
  await ctx.state.portal.limiter.count({ address: ctx.ip, account: `forgotten ${name}` });
  void sendReset(ctx, name).catch((err: unknown) =>
    ctx.state.portal.log.error({ err, requestId: ctx.state.requestId }, 'no reset link was made'),
  );
  const t = textsOf(ctx);
  page(
    ctx,
    { title: t.forgotten.sent, frame: 'narrow' },
    <>
      <h1>{t.forgotten.sent}</h1>
      <p>
        <Fill text={t.forgotten.sentText}>
          <strong>{name}</strong>
        </Fill>
      </p>
      <p>
        <LinkButton href="/portal/sign-in" kind="plain">
          {t.signIn.back}
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
