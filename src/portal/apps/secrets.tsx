import type { RegisteredApp } from '../../auth/apps/registry.js';
import { type AppSecret, overlapHours } from '../../auth/apps/secrets.js';
import { Button, Card, Tag } from '../../pages/components.js';
import { Confirm, Form } from '../../pages/forms.js';
import { Time } from '../../pages/time.js';
import { appPath } from './frame.js';

const overlapTexts: Readonly<Record<(typeof overlapHours)[number], string>> = {
  0: 'end at once',
  1: 'work for an hour more',
  24: 'work for a day more',
  168: 'work for a week more',
};

const usual = 24;

export const Secrets = ({
  app,
  secrets,
}: {
  app: RegisteredApp;
  secrets: readonly AppSecret[];
}) => (
  <Card title="Secrets" id="secrets">
    {secrets.length === 0 && <p>The app has no secret, so it cannot get tokens. Create one.</p>}
    <ul class="rows">
      {secrets.map(({ id, hint, createdAt, expiresAt, lastUsedAt }) => (
        <li>
          <div>
            <code>…{hint}</code> {expiresAt && <Tag kind="warning">being replaced</Tag>}
            <p class="muted small">
              Made <Time at={createdAt} /> ·{' '}
              {lastUsedAt ? (
                <>
                  last used <Time at={lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
              {expiresAt && (
                <>
                  {' '}
                  · works until <Time at={expiresAt} />
                </>
              )}
            </p>
          </div>
          <Confirm
            action={`${appPath(app)}/secrets/${id}/revoke`}
            text="Revoke"
            about={`A server that still uses the secret …${hint} can no longer get tokens. This cannot be undone.`}
            button={`Revoke the secret …${hint}`}
          />
        </li>
      ))}
    </ul>
    <Form action={`${appPath(app)}/secrets`} class="inline">
      <label for="overlap">Create a new secret; the old ones</label>
      <select id="overlap" name="overlap">
        {overlapHours.map((hours) => (
          <option value={hours} selected={hours === usual}>
            {overlapTexts[hours]}
          </option>
        ))}
      </select>
      <Button>New secret</Button>
    </Form>
  </Card>
);
