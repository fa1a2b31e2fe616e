import type { Passkey } from '../../auth/accounts/passkeys.js';
import { isFresh, type WebSession } from '../../auth/accounts/sessions.js';
import { havePasskeys } from '../../auth/accounts/webauthn.js';
import type { Config } from '../../config.js';
import { Button, LinkButton, Notice, Setting, Tag } from '../../pages/components.js';
import { Field, Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import type { PortalContext } from '../route.js';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly session: WebSession;
  readonly config: Config;
}

export const Passkeys = ({ passkeys, session, config }: PasskeysProps) => (
  <Setting
    title="Passkeys"
    about="A passkey signs you in with your device's own lock, such as a fingerprint, instead of a password."
  >
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map(({ credentialId, name, createdAt, lastUsedAt, isConfirmed }) => (
          <li>
            <div>
              <strong>{name}</strong> {!isConfirmed && <Tag kind="warning">not confirmed</Tag>}
              <p class="muted small">
                Added <Time at={createdAt} only="day" />,{' '}
                {lastUsedAt ? (
                  <>
                    last used <Time at={lastUsedAt} />
                  </>
                ) : (
                  'not used yet'
                )}
              </p>
            </div>
            {!isConfirmed && <Confirm credentialId={credentialId} name={name} />}
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
    <Addition session={session} config={config} />
  </Setting>
);

const Confirm = ({ credentialId, name }: Pick<Passkey, 'credentialId' | 'name'>) => (
  <Form action="/portal/account/passkeys/confirm">
    <input type="hidden" name="credential" value={credentialId} />
    <Button kind="plain" label={`Confirm ${name}`}>
      Confirm
    </Button>
  </Form>
);

/** Shown after a new password: the passkeys that an intruder may have added. */
export function showUnconfirmed(ctx: PortalContext, passkeys: readonly Passkey[]): void {
  const waiting = passkeys.filter(({ isConfirmed }) => !isConfirmed);
  page(
    ctx,
    { title: 'Confirm your passkeys', frame: 'narrow' },
    <>
      <h1>Confirm your passkeys</h1>
      <p class="lead">
        A passkey signs in without the password. Keep yours, and remove any that you don't
        recognize.
      </p>
      {waiting.length === 0 && <Notice kind="good">Every passkey is confirmed.</Notice>}
      <ul class="rows">
        {waiting.map(({ credentialId, name, createdAt }) => (
          <li>
            <div>
              <strong>{name}</strong>
              <p class="muted small">
                Added <Time at={createdAt} />
              </p>
            </div>
            <Confirm credentialId={credentialId} name={name} />
            <Form action="/portal/account/passkeys/remove">
              <input type="hidden" name="credential" value={credentialId} />
              <input type="hidden" name="from" value="unconfirmed" />
              <Button kind="danger" label={`Remove ${name}`}>
                Remove
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <p class="actions">
        <LinkButton href="/portal" kind={waiting.length === 0 ? 'primary' : 'plain'}>
          {waiting.length === 0 ? 'Go to the portal' : 'Later'}
        </LinkButton>
      </p>
    </>,
  );
}

const Addition = ({ session, config }: Omit<PasskeysProps, 'passkeys'>) => {
  if (!havePasskeys(config)) {
    return (
      <p class="muted">
        Passkeys need a domain name, and this server is reached at an IP address. On your own
        machine, set BASE_URL to http://localhost with the port.
      </p>
    );
  }
  if (!isFresh(session)) {
    return (
      <Form action="/portal/sign-out" class="stack">
        <input type="hidden" name="next" value="/portal/account" />
        <p class="muted">To add a passkey, sign in again to confirm that it is you.</p>
        <Button kind="plain">Sign in again</Button>
      </Form>
    );
  }
  return (
    <div data-passkey="add" data-challenge="/portal/account/passkeys/challenge" hidden>
      <Form action="/portal/account/passkeys" class="stack">
        <input type="hidden" name="credential" />
        <Field
          name="name"
          label="Name of the passkey"
          hint="A name to recognize it by, such as “Work phone”."
          maxLength={100}
        />
        <Button kind="plain">Add a passkey</Button>
        <p class="problem" role="alert" hidden />
      </Form>
    </div>
  );
};
