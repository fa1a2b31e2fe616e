import type { Passkey } from '../../auth/accounts/passkeys.js';
import type { SessionRow, WebSession } from '../../auth/accounts/sessions.js';
import type { GivenGrant } from '../../auth/apps/grants.js';
import type { AuditEntry } from '../../auth/audit.js';
import { type ApiError, problemsOf } from '../../errors.js';
import { Button, Notice, Setting } from '../../pages/components.js';
import { Field, Form, Tick } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import type { PortalContext } from '../route.js';
import { NewPassword } from '../sign-in/link.js';
import { Activity } from './activity.js';
import { Grants } from './grants.js';
import { Passkeys } from './passkeys.js';
import { Sessions } from './sessions.js';

export interface Account {
  readonly session: WebSession;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionRow[];
  readonly grants: readonly GivenGrant[];
  /** Newest first. */
  readonly activity: readonly AuditEntry[];
}

export function showAccount(
  ctx: PortalContext,
  { session, passkeys, sessions, grants, activity }: Account,
  failure?: ApiError,
): void {
  const problems = problemsOf(failure);
  const { displayName, email } = session.user;
  page(
    ctx,
    { title: 'Account', failure, scripts: ['passkeys.js'] },
    <>
      <h1>Account</h1>
      <p class="lead">{[displayName, email].filter(Boolean).join(' · ')}</p>
      <Done query={new URLSearchParams(ctx.querystring)} />
      {failure && !problems && <Notice kind="bad">{failure.message}</Notice>}
      {passkeys.some(({ isConfirmed }) => !isConfirmed) && (
        <Notice kind="warning">
          A passkey waits until you confirm it. <a href="/portal/account/passkeys">Look at it</a>
        </Notice>
      )}
      {problems?.credential && <Notice kind="bad">{problems.credential.join(' ')}</Notice>}
      <Setting
        title="Password"
        about="A new password signs you out everywhere but here. Select the other items as well, unless you know that no one else used the old one."
      >
        <Form action="/portal/account/password" class="stack">
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <Field
            name="current"
            label="Current password"
            type="password"
            autocomplete="current-password"
            maxLength={1000}
            problems={problems}
          />
          <NewPassword problems={problems} />
          <Tick name="grants" label="End what apps may do for me" />
          <Tick name="passkeys" label="Ask me to confirm each passkey" />
          <Button>Change password</Button>
        </Form>
      </Setting>
      <Passkeys passkeys={passkeys} session={session} config={ctx.state.portal.config} />
      <Sessions sessions={sessions} currentId={session.id} />
      <Grants grants={grants} />
      <Activity entries={activity} />
    </>,
  );
}

const Done = ({ query }: { query: URLSearchParams }) => {
  const ended = Number(query.get('ended')) || 0;
  const others =
    ended === 0
      ? 'You were signed in nowhere else.'
      : `You were signed out in ${ended} other ${ended === 1 ? 'place' : 'places'}.`;
  const sentences: Record<string, string> = {
    password: `Your password is changed. ${others}`,
    passkey: 'The passkey is added. You can sign in with it from now on.',
    'passkey-removed': 'The passkey is removed. You can no longer sign in with it.',
    session: 'You are signed out there.',
    grant: 'The app is signed out. It can no longer act for you.',
    sessions: others,
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? <Notice kind="good">{sentence}</Notice> : null;
};
