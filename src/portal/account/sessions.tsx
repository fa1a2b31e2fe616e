import type { SessionRow } from '../../auth/accounts/sessions.js';
import { Button, Setting, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Time } from '../../pages/time.js';
import { deviceOf } from './device.js';

const methods = { password: 'password', passkey: 'passkey', link: 'one-time link' } as const;

export const Sessions = ({
  sessions,
  currentId,
}: {
  sessions: readonly SessionRow[];
  currentId: string;
}) => (
  <Setting
    title="Where you are signed in"
    about="If you don't recognize one of them, sign it out and change your password."
  >
    <ul class="rows">
      {sessions
        .toSorted((one, other) => Number(other.id === currentId) - Number(one.id === currentId))
        .map(({ id, userAgent, address, createdAt, seenAt, signedInBy }) => (
          <li>
            <div>
              <strong title={userAgent}>{deviceOf(userAgent)}</strong>{' '}
              {id === currentId && <Tag kind="good">this browser</Tag>}
              <p class="muted small">
                {address} · by {methods[signedInBy]} on <Time at={createdAt} />, last active{' '}
                <Time at={seenAt} />
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
