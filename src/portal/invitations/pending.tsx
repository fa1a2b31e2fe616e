import type { PendingInvitation } from '../../auth/accounts/pending.js';
import { Button, Card, Tag } from '../../pages/components.js';
import { Form } from '../../pages/forms.js';
import { Time } from '../../pages/time.js';

/** Invitations to the person's proven address. */
export const Pending = ({ invitations }: { invitations: readonly PendingInvitation[] }) => (
  <Card title="Invitations">
    <ul class="rows">
      {invitations.map(({ organizationId, organizationName, role, createdAt }) => {
        const at = `/portal/organizations/${organizationId}/invitation`;
        return (
          <li>
            <div>
              <strong>{organizationName}</strong> <Tag>{role}</Tag>
              <p class="muted small">
                invited you on <Time at={createdAt} only="day" />
              </p>
            </div>
            <Form action={`${at}/accept`}>
              <Button label={`Accept the invitation of ${organizationName}`}>Accept</Button>
            </Form>
            <Form action={`${at}/decline`}>
              <Button kind="plain" label={`Decline the invitation of ${organizationName}`}>
                Decline
              </Button>
            </Form>
          </li>
        );
      })}
    </ul>
  </Card>
);
