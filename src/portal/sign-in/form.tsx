import type { ComponentChildren } from 'preact';
import { havePasskeys } from '../../auth/accounts/webauthn.js';
import { type ApiError, problemsOf } from '../../errors.js';
import { Button, Notice } from '../../pages/components.js';
import { Field, Form } from '../../pages/forms.js';
import { Fill, say, sayError, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';

/** Maximum length of a sign-in name: the slug of an organization, and an address. */
export const maxNameLength = 450;

/** A sign-in in progress. */
export interface SignIn {
  /** The action of the form; a passkey's form posts to `passkey` below it. */
  readonly action: string;
  /** The person's destination: a path of the portal. */
  readonly next?: string;
  /** The app that requested the sign-in. */
  readonly appName?: string;
  readonly email?: string;
  /** Content below the forms. */
  readonly below?: ComponentChildren;
}

/** @param failure The error of the previous attempt. */
export function showSignIn(ctx: PortalContext, signIn: SignIn, failure?: ApiError): void {
  const { action, next, appName, email = '', below } = signIn;
  const { config } = ctx.state.portal;
  const problems = problemsOf(failure);
  const texts = textsOf(ctx);
  const t = texts.signIn;
  const general = problems
    ? problems.credential?.map((each) => say(texts, each)).join(' ')
    : failure && sayError(texts, failure);
  page(
    ctx,
    {
      title: t.title,
      frame: 'narrow',
      leadsAway: true,
      failure,
      scripts: ['passkeys.js', ...(ctx.state.session ? [] : ['signed-out.js'])],
    },
    <>
      <h1>{t.title}</h1>
      {appName && (
        <p class="lead">
          <Fill text={t.continueTo}>
            <strong>{appName}</strong>
          </Fill>
        </p>
      )}
      {general && <Notice kind="bad">{general}</Notice>}
      <Form action={action} class="stack">
        {next && <input type="hidden" name="next" value={next} />}
        <Field
          name="email"
          label={t.email}
          hint={t.emailHint}
          value={email}
          autocomplete="username"
          autofocus={!email}
          maxLength={maxNameLength}
        />
        <Field
          name="password"
          label={t.password}
          type="password"
          autocomplete="current-password"
          autofocus={email !== ''}
          maxLength={1000}
          problems={problems}
        />
        <Button>{t.button}</Button>
      </Form>
      {havePasskeys(config) && <PasskeyForm action={`${action}/passkey`} next={next} />}
      {below}
      <p class="muted small">
        <a href="/portal/forgotten-password">{t.forgotten}</a>
      </p>
    </>,
  );
}

/** Shown by passkeys.js, if the browser supports passkeys. */
const PasskeyForm = ({ action, next }: { action: string; next: string | undefined }) => (
  <div
    data-passkey="sign-in"
    data-challenge="/portal/sign-in/challenge"
    data-texts={JSON.stringify(useTexts().passkeyScript)}
    hidden
  >
    <p class="or">{useTexts().signIn.or}</p>
    <Form action={action} class="stack">
      {next && <input type="hidden" name="next" value={next} />}
      <input type="hidden" name="credential" />
      <Button kind="plain">{useTexts().signIn.passkey}</Button>
      <p class="problem" role="alert" hidden />
    </Form>
  </div>
);
