import type { Passkey } from '../../auth/people/passkeys.js';
import { isFresh, type WebSession } from '../../auth/people/sessions.js';
import { havePasskeys } from '../../auth/people/webauthn.js';
import type { Config } from '../../config.js';
import { Button, Setting } from '../components.js';
import { Field, Form } from '../forms.js';
import { Time } from '../time.js';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly session: WebSession;
  readonly config: Config;
}

export const Passkeys = ({ passkeys, session, config }: PasskeysProps) => (
  <Setting title="Passkeys" about="A passkey signs you in with your device's own lock, such as a fingerprint, instead of a password.">
    {passkeys.length > 0 && (
      <ul class="rows">
        {passkeys.map(({ credentialId, name, createdAt, lastUsedAt }) => (
          <li>
            <div>
              <strong>{name}</strong>
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

const Addition = ({ session, config }: Omit<PasskeysProps, 'passkeys'>) => {
  if (!havePasskeys(config)) {
    return (
      <p class="muted">
        Passkeys need a domain name, and this server is reached at an IP address. On your own machine, set BASE_URL to http://localhost with
        the port.
      </p>
    );
  }
  if (!isFresh(session)) {
    return (
      <Form action="/portal/sign-out" class="stack">
        <input type="hidden" name="next" value="/portal/account" />
        <p class="muted">To add a passkey, sign in once more, so that we know it is you.</p>
        <Button kind="plain">Sign in again</Button>
      </Form>
    );
  }
  return (
    <div data-passkey="add" data-challenge="/portal/account/passkeys/challenge" hidden>
      <Form action="/portal/account/passkeys" class="stack">
        <input type="hidden" name="credential" />
        <Field name="name" label="Name of the passkey" hint="A name to recognize it by, such as “Work phone”." maxLength={100} />
        <Button kind="plain">Add a passkey</Button>
        <p class="problem" role="alert" hidden />
      </Form>
    </div>
  );
};
