import type { GivenGrant } from '../../auth/apps/grants.js';
import { Button, Empty, Setting } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Time } from '../../pages/time.js';

/** The person's grants to apps, which they can revoke. */
export const Grants = ({ grants }: { grants: readonly GivenGrant[] }) => (
  <Setting
    title="Apps with access to your account"
    about="Each sign-in through an app lasts until you end it here, or until the day shown."
  >
    {grants.length === 0 && <Empty>No app is signed in for you.</Empty>}
    <ul class="rows">
      {grants.map(({ id, appName, createdAt, expiresAt }) => (
        <li>
          <div>
            <strong>{appName}</strong>
            <p class="muted small">
              Since <Time at={createdAt} />, until <Time at={expiresAt} only="day" /> at the latest
            </p>
          </div>
          <Form action="/portal/account/grants/end">
            <input type="hidden" name="grant" value={id} />
            <Button kind="plain" label={`End the sign-in through ${appName}`}>
              End
            </Button>
          </Form>
        </li>
      ))}
    </ul>
  </Setting>
);
