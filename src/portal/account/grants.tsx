import type { GivenGrant } from '../../auth/apps/grants.js';
import { Button, Empty, Setting } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Fill, useTexts } from '../../pages/language.js';
import { Time } from '../../pages/time.js';

/** The person's grants to apps, which they can revoke. */
export const Grants = ({ grants }: { grants: readonly GivenGrant[] }) => {
  const t = useTexts().grants;
  return (
    <Setting title={t.title} about={t.text}>
      {grants.length === 0 && <Empty>{t.none}</Empty>}
      <ul class="rows">
        {grants.map(({ id, appName, createdAt, expiresAt }) => (
          <li>
            <div>
              <strong>{appName}</strong>
              <p class="muted small">
                <Fill text={t.since}>
                  <Time at={createdAt} />
                </Fill>
                ,{' '}
                <Fill text={t.until}>
                  <Time at={expiresAt} only="day" />
                </Fill>
              </p>
            </div>
            <Form action="/portal/account/grants/end">
              <input type="hidden" name="grant" value={id} />
              <Button kind="plain" label={t.endOf(appName)}>
                {t.end}
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </Setting>
  );
};
