import type { ComponentChildren } from 'preact';
import { havePasskeys } from '../../auth/people/webauthn.js';
import { type ApiError, problemsOf } from '../../errors.js';
import { Button, Notice } from '../components.js';
import { Field, Form } from '../forms.js';
import { page } from '../page.js';
import type { PortalContext } from '../route.js';

/** A sign-in under way. */
export interface SignIn {
  /** Where the form goes; that of a passkey goes to `passkey` under it. */
  readonly action: string;
  /** What the person was going to do: a path of the portal. */
  readonly next?: string;
  /** The app that sent the person here. */
  readonly appName?: string;
  readonly email?: string;
  /** Under the forms. */
  readonly below?: ComponentChildren;
}

/** @param failure Why the try before was refused. */
export function showSignIn(ctx: PortalContext, signIn: SignIn, failure?: ApiError): void {
  const { action, next, appName, email = '', below } = signIn;
  const { config, mailer } = ctx.state.portal;
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
        <Field name="email" label="E-mail address" type="email" value={email} autocomplete="username" autofocus={!email} maxLength={320} />
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
        {mailer ? (
          <a href="/portal/forgotten-password">Forgotten your password?</a>
        ) : (
          'Forgotten your password, or invited and not signed in yet? Ask an admin of your organization for a link.'
        )}
      </p>
    </>,
  );
}

/** Shown by passkeys.js, where the browser can. */
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
