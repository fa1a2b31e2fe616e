import { isFresh, type WebSession } from '../../auth/accounts/sessions.js';
import { havePasskeys } from '../../auth/accounts/webauthn.js';
import type { Config } from '../../config.js';
import type { Passkey } from '../../entities/credentials.js';
import { Button, LinkButton, Notice, Setting, Tag } from '../../pages/components.js';
import { Field, Form } from '../../pages/forms.js';
import { Fill, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import type { PortalContext } from '../route.js';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly session: WebSession;
  readonly config: Config;
}

export const Passkeys = ({ passkeys, session, config }: PasskeysProps) => {
  const t = useTexts().passkeys;
  return (
    <Setting title={t.title} about={t.text}>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map(({ credentialId, name, createdAt, lastUsedAt, isConfirmed }) => (
            <li>
              <div>
                <strong>{name}</strong> {!isConfirmed && <Tag kind="warning">{t.unconfirmed}</Tag>}
                <p class="muted small">
                  <Fill text={t.added}>
                    <Time at={createdAt} only="day" />
                  </Fill>
                  ,{' '}
                  {lastUsedAt ? (
                    <Fill text={t.used}>
                      <Time at={lastUsedAt} />
                    </Fill>
                  ) : (
                    t.unused
                  )}
                </p>
              </div>
              {!isConfirmed && <Confirm credentialId={credentialId} name={name} />}
              <Form action="/portal/account/passkeys/remove">
                <input type="hidden" name="credential" value={credentialId} />
                <Button kind="danger" label={t.removeOf(name)}>
                  {t.remove}
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Addition session={session} config={config} />
    </Setting>
  );
};

const Confirm = ({ credentialId, name }: Pick<Passkey, 'credentialId' | 'name'>) => (
  <Form action="/portal/account/passkeys/confirm">
    <input type="hidden" name="credential" value={credentialId} />
    <Button kind="plain" label={useTexts().passkeys.confirmOf(name)}>
      {useTexts().passkeys.confirm}
    </Button>
  </Form>
);

/** Shown after a new password: the passkeys that an intruder may have added. */
export function showUnconfirmed(ctx: PortalContext, passkeys: readonly Passkey[]): void {
  const waiting = passkeys.filter(({ isConfirmed }) => !isConfirmed);
  const texts = textsOf(ctx);
  const t = texts.passkeys;
  page(
    ctx,
    { title: t.confirmTitle, frame: 'narrow' },
    <>
      <h1>{t.confirmTitle}</h1>
      <p class="lead">{t.confirmText}</p>
      {waiting.length === 0 && <Notice kind="good">{t.allConfirmed}</Notice>}
      <ul class="rows">
        {waiting.map(({ credentialId, name, createdAt }) => (
          <li>
            <div>
              <strong>{name}</strong>
              <p class="muted small">
                <Fill text={t.added}>
                  <Time at={createdAt} />
                </Fill>
              </p>
            </div>
            <Confirm credentialId={credentialId} name={name} />
            <Form action="/portal/account/passkeys/remove">
              <input type="hidden" name="credential" value={credentialId} />
              <input type="hidden" name="from" value="unconfirmed" />
              <Button kind="danger" label={t.removeOf(name)}>
                {t.remove}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <p class="actions">
        <LinkButton href="/portal" kind={waiting.length === 0 ? 'primary' : 'plain'}>
          {waiting.length === 0 ? texts.frame.goToPortal : t.later}
        </LinkButton>
      </p>
    </>,
  );
}

const Addition = ({ session, config }: Omit<PasskeysProps, 'passkeys'>) => {
  const texts = useTexts();
  const t = texts.passkeys;
  if (!havePasskeys(config)) {
    return <p class="muted">{t.needsDomain}</p>;
  }
  if (!isFresh(session)) {
    return (
      <Form action="/portal/sign-out" class="stack">
        <input type="hidden" name="next" value="/portal/account" />
        <p class="muted">{t.signInAgainText}</p>
        <Button kind="plain">{t.signInAgain}</Button>
      </Form>
    );
  }
  return (
    <div
      data-passkey="add"
      data-challenge="/portal/account/passkeys/challenge"
      data-texts={JSON.stringify(texts.passkeyScript)}
      hidden
    >
      <Form action="/portal/account/passkeys" class="stack">
        <input type="hidden" name="credential" />
        <Field name="name" label={t.name} hint={t.nameHint} maxLength={100} />
        <Button kind="plain">{t.add}</Button>
        <p class="problem" role="alert" hidden />
      </Form>
    </div>
  );
};
