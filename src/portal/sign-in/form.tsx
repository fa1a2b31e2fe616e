import type { ComponentChildren } from 'preact';
import { havePasskeys } from '../../auth/accounts/webauthn.js';
import { type ApiError, problemsOf } from '../../errors.js';
import { Button, Notice } from '../../pages/components.js';
import { Field, Form } from '../../pages/forms.js';
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
  const general = problems ? problems.credential?.join(' ') : failure?.message;
  page(
    ctx,
    {
      title: 'Sign in',
      frame: 'narrow',
      leadsAway: true,
      failure,
      scripts: ['passkeys.js', ...(ctx.state.session ? [] : ['signed-out.js'])],
    },
    <>
      <h1>Sign in</h1>
      {appName && (
        <p class="lead">
          to continue to <strong>{appName}</strong>
        </p>
      )}
      {general && <Notice kind="bad">{general}</Notice>}
      <Form action={action} class="stack">
        {next && <input type="hidden" name="next" value={next} />}
        <Field
          name="email"
          label="E-mail address"
          hint="Or the sign-in name that you got with your invitation."
          value={email}
          autocomplete="username"
          autofocus={!email}
          maxLength={maxNameLength}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          autofocus={email !== ''}
          maxLength={1000}
          problems={problems}
        />
        <Button>Sign in</Button>
      </Form>
      {havePasskeys(config) && <PasskeyForm action={`${action}/passkey`} next={next} />}
      {below}
      <p class="muted small">
        <a href="/portal/forgotten-password">Forgotten your password?</a>
      </p>
    </>,
  );
}

/** Shown by passkeys.js, if the browser supports passkeys. */
const PasskeyForm = ({ action, next }: { action: string; next: string | undefined }) => (
  <div data-passkey="sign-in" data-challenge="/portal/sign-in/challenge" hidden>
    <p class="or">or</p>
    <Form action={action} class="stack">
      {next && <input type="hidden" name="next" value={next} />}
      <input type="hidden" name="credential" />
      <Button kind="plain">Sign in with a passkey</Button>
      <p class="problem" role="alert" hidden />
    </Form>
  </div>
);
