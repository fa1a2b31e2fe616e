import type { SessionRow } from '../../auth/accounts/sessions.js';
import { Button, Setting, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Fill, useTexts } from '../../pages/language.js';
import { Time } from '../../pages/time.js';
import { deviceOf } from './device.js';

export const Sessions = ({
  sessions,
  currentId,
}: {
  sessions: readonly SessionRow[];
  currentId: string;
}) => {
  const texts = useTexts();
  const t = texts.sessions;
  return (
    <Setting title={t.title} about={t.text}>
      <ul class="rows">
        {sessions
          .toSorted((one, other) => Number(other.id === currentId) - Number(one.id === currentId))
          .map(({ id, userAgent, address, createdAt, seenAt, signedInBy }) => (
            <li>
              <div>
                <strong title={userAgent}>{deviceOf(userAgent, texts)}</strong>{' '}
                {id === currentId && <Tag kind="good">{t.here}</Tag>}
                <p class="muted small">
                  {address} ·{' '}
                  <Fill text={t.since(t.methods[signedInBy])}>
                    <Time at={createdAt} />
                  </Fill>
                  ,{' '}
                  <Fill text={t.active}>
                    <Time at={seenAt} />
                  </Fill>
                </p>
              </div>
              {id !== currentId && (
                <Form action="/portal/account/sessions/end">
                  <input type="hidden" name="session" value={id} />
                  <Button kind="plain" label={`Sign out ${deviceOf(userAgent, texts)}`}>
                    {t.signOut}
                  </Button>
                </Form>
              )}
            </li>
          ))}
      </ul>
      {sessions.length > 1 && (
        <Form action="/portal/account/sessions/end-others">
          <Button kind="danger">{t.others}</Button>
        </Form>
      )}
    </Setting>
  );
};
