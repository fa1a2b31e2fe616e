import type { PendingInvitation } from '../../auth/accounts/pending.js';
import { Button, Card, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Fill, useTexts } from '../../pages/language.js';
import { Time } from '../../pages/time.js';

/** Invitations to the person's proven address. */
export const Pending = ({ invitations }: { invitations: readonly PendingInvitation[] }) => {
  const t = useTexts().invitation;
  return (
    <Card title={t.title}>
      <ul class="rows">
        {invitations.map(({ organizationId, organizationName, role, createdAt }) => {
          const at = `/portal/organizations/${organizationId}/invitation`;
          return (
            <li>
              <div>
                <strong>{organizationName}</strong> <Tag>{role}</Tag>
                <p class="muted small">
                  <Fill text={t.invitedOn}>
                    <Time at={createdAt} only="day" />
                  </Fill>
                </p>
              </div>
              <Form action={`${at}/accept`}>
                <Button label={t.acceptOf(organizationName)}>{t.accept}</Button>
              </Form>
              <Form action={`${at}/decline`}>
                <Button kind="plain" label={t.declineOf(organizationName)}>
                  {t.decline}
                </Button>
              </Form>
            </li>
          );
        })}
      </ul>
    </Card>
  );
};
