import { havePasskeys, type Passkey } from '../../auth/people/passkeys.js';
import type { SessionRow, WebSession } from '../../auth/people/sessions.js';
import type { ApiError, Problems } from '../../errors.js';
import { Button, Field, Form, Notice, Setting, Tag, Time } from '../components.js';
import { page } from '../page.js';
import type { PortalContext } from '../route.js';
import { NewPassword } from '../sign-in/link.js';
import { deviceOf } from './device.js';

export interface Account {
  readonly session: WebSession;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionRow[];
}

export function showAccount(ctx: PortalContext, { session, passkeys, sessions }: Account, failure?: ApiError): void {
  const problems = failure?.code === 'validation_error' ? (failure.details as Problems) : undefined;
  const { displayName, email } = session.user;
  page(
    ctx,
    { title: 'Account', status: failure?.status ?? 200, scripts: ['passkeys.js'] },
    <>
      <h1>Account</h1>
      <p class="lead">
        {[displayName, email].filter(Boolean).join(' · ')}
      </p>
      <Done query={new URLSearchParams(ctx.querystring)} />
      {failure && !problems && <Notice kind="bad">{failure.message}</Notice>}
      {problems?.credential && <Notice kind="bad">{problems.credential.join(' ')}</Notice>}
      <Setting title="Password" about="With a new password you are signed out everywhere but here.">
        <Form action="/portal/account/password" class="stack">
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <Field name="current" label="Present password" type="password" autocomplete="current-password" maxLength={1000} problems={problems} />
          <NewPassword problems={problems} />
          <Button>Change password</Button>
        </Form>
      </Setting>
      <Passkeys passkeys={passkeys} canAdd={havePasskeys(ctx.state.portal.config)} />
      <Sessions sessions={sessions} currentId={session.id} />
    </>,
  );
}

const Done = ({ query }: { query: URLSearchParams }) => {
  const ended = Number(query.get('ended')) || 0;
  const others = ended === 0 ? 'You were signed in nowhere else.' : `You were signed out in ${ended} other ${ended === 1 ? 'place' : 'places'}.`;
  const sentences: Record<string, string> = {
    password: `Your password is changed. ${others}`,
    passkey: 'The passkey is added: you can sign in with it from now on.',
    'passkey-removed': 'The passkey is removed: it opens your account no longer.',
    session: 'That session is ended.',
    sessions: others,
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? <Notice kind="good">{sentence}</Notice> : null;
};

const Passkeys = ({ passkeys, canAdd }: { passkeys: readonly Passkey[]; canAdd: boolean }) => (
  <Setting title="Passkeys" about="A passkey signs you in with your device's own lock, such as a fingerprint, instead of a password.">
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map(({ credentialId, name, createdAt, lastUsedAt }) => (
          <li>
            <div>
              <strong>{name}</strong>
              <p class="muted small">
                Added <Time at={createdAt} only="day" />, {lastUsedAt ? <>last used <Time at={lastUsedAt} /></> : 'not used yet'}
              </p>
            </div>
            <Form action="/portal/account/passkeys/remove">
              <input type="hidden" name="credential" value={credentialId} />
              <Button kind="danger" label={`Remove ${name}`}>
                Remove
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    )}
    {canAdd ? (
      <div data-passkey="add" data-challenge="/portal/account/passkeys/challenge" hidden>
        <Form action="/portal/account/passkeys" class="stack">
          <input type="hidden" name="credential" />
          <Field name="name" label="Name of the passkey" hint="To tell it from others: “Work phone”." maxLength={100} />
          <Button kind="plain">Add a passkey</Button>
          <p class="problem" role="alert" hidden />
        </Form>
      </div>
    ) : (
      <p class="muted">Passkeys need a domain name, and this server is reached at an IP address. On your own machine, set BASE_URL to http://localhost with the port.</p>
    )}
  </Setting>
);

const methods = { password: 'password', passkey: 'passkey', link: 'one-time link' } as const;

const Sessions = ({ sessions, currentId }: { sessions: readonly SessionRow[]; currentId: string }) => (
  <Setting title="Where you are signed in" about="Sign out what you don't know or no longer use, and change your password if you don't know it.">
    <ul class="rows">
      {sessions.map(({ id, userAgent, address, createdAt, seenAt, signedInBy }) => (
        <li>
          <div>
            <strong title={userAgent}>{deviceOf(userAgent)}</strong> {id === currentId && <Tag kind="good">this browser</Tag>}
            <p class="muted small">
              {address} · by {methods[signedInBy]} on <Time at={createdAt} />, last active <Time at={seenAt} />
            </p>
          </div>
          {id !== currentId && (
            <Form action="/portal/account/sessions/end">
              <input type="hidden" name="session" value={id} />
              <Button kind="plain" label={`Sign out ${deviceOf(userAgent)}`}>
                Sign out
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
    {sessions.length > 1 && (
      <Form action="/portal/account/sessions/end-others">
        <Button kind="danger">Sign out everywhere else</Button>
      </Form>
    )}
  </Setting>
);
