import type { SessionRow, WebSession } from '../../auth/accounts/sessions.js';
import type { GivenGrant } from '../../auth/apps/grants.js';
import type { AuditEntry } from '../../auth/audit.js';
import type { Passkey } from '../../entities/credentials.js';
import { type ApiError, problemsOf } from '../../errors.js';
import { Button, Notice, Setting } from '../../pages/components.js';
import { Field, Form, Tick } from '../../pages/forms.js';
import { say, sayError, textsOf, useTexts } from '../../pages/language.js';
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
  const texts = textsOf(ctx);
  const t = texts.account;
  page(
    ctx,
    { title: t.title, failure, scripts: ['passkeys.js'] },
    <>
      <h1>{t.title}</h1>
      <p class="lead">{[displayName, email].filter(Boolean).join(' · ')}</p>
      <Done query={new URLSearchParams(ctx.querystring)} />
      {failure && !problems && <Notice kind="bad">{sayError(texts, failure)}</Notice>}
      {passkeys.some(({ isConfirmed }) => !isConfirmed) && (
        <Notice kind="warning">
          {t.unconfirmed} <a href="/portal/account/passkeys">{t.lookAtIt}</a>
        </Notice>
      )}
      {problems?.credential && (
        <Notice kind="bad">{problems.credential.map((each) => say(texts, each)).join(' ')}</Notice>
      )}
      <Setting title={t.password} about={t.passwordText}>
        <Form action="/portal/account/password" class="stack">
          <input type="hidden" name="email" value={email} autocomplete="username" />
          <Field
            name="current"
            label={t.current}
            type="password"
            autocomplete="current-password"
            maxLength={1000}
            problems={problems}
          />
          <NewPassword problems={problems} />
          <Tick name="grants" label={t.endGrants} />
          <Tick name="passkeys" label={t.askPasskeys} />
          <Button>{t.change}</Button>
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
  const t = useTexts().account;
  const ended = Number(query.get('ended')) || 0;
  const others = ended === 0 ? t.nowhereElse : t.endedPlaces(ended);
  const sentences: Readonly<Record<string, string>> = {
    ...t.done,
    password: `${t.passwordChanged} ${others}`,
    sessions: others,
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? <Notice kind="good">{sentence}</Notice> : null;
};
