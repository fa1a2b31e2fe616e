import type { Approval } from '../../auth/apps/approvals.js';
import type { ApprovalStatus } from '../../auth/apps/rules.js';
import { scopes } from '../../auth/scopes.js';
import { Button, Card, Empty, Tag } from '../../pages/components.js';
import { Confirm, Form } from '../../pages/forms.js';
import { page } from '../../pages/page.js';
import { Time } from '../../pages/time.js';
import { OrganizationTabs, pathOf } from '../organization.js';
import type { PortalContext } from '../route.js';

type Organization = Parameters<typeof pathOf>[0];

const sections: readonly { title: string; statuses: readonly ApprovalStatus[]; none: string }[] = [
  {
    title: 'Waiting for you',
    statuses: ['requested', 'widened'],
    none: 'Nothing is waiting. An app shows up here when a member first signs in through it.',
  },
  { title: 'Approved', statuses: ['approved'], none: 'No app is approved in full.' },
  { title: 'Revoked', statuses: ['revoked'], none: 'No approval was revoked.' },
];

const tags = {
  requested: { kind: 'warning', text: 'Requested' },
  widened: { kind: 'warning', text: 'Asks for more' },
  approved: { kind: 'good', text: 'Approved' },
  revoked: { kind: 'bad', text: 'Revoked' },
} as const;

export function showApprovals(
  ctx: PortalContext,
  organization: Organization,
  approvals: readonly Approval[],
): void {
  page(
    ctx,
    { isEnglish: true, title: `Apps at ${organization.name}` },
    <>
      <OrganizationTabs ctx={ctx} organization={organization} current="approvals" />
      <p class="lead">
        An app can read or change data of {organization.name} only as far as you approve, and never
        more than the person who signed in may. Changes here work at once.
      </p>
      {sections.map(({ title, statuses, none }) => {
        const shown = approvals.filter(({ status }) => statuses.includes(status));
        return (
          <section aria-label={title}>
            <h2>{title}</h2>
            {shown.length === 0 && <Empty>{none}</Empty>}
            {shown.map((approval) => (
              <AppCard organization={organization} approval={approval} />
            ))}
          </section>
        );
      })}
    </>,
  );
}

const AppCard = ({
  organization,
  approval,
}: {
  organization: Organization;
  approval: Approval;
}) => {
  const { appId, appName, appStatus, clientId, ownerName, status, apiScopes, newScopes } = approval;
  const { kind, text } = tags[status];
  const action = `${pathOf(organization, 'approvals')}/${appId}`;
  const isWider = status === 'widened';
  return (
    <Card
      id={clientId}
      title={
        <>
          {appName} <Tag kind={kind}>{text}</Tag>{' '}
          {appStatus === 'disabled' && <Tag kind="bad">disabled by its owner</Tag>}
        </>
      }
    >
      <p class="muted">
        By {ownerName ?? 'the operator of this server'} · <code>{clientId}</code>
      </p>
      <ul class="history">
        <History {...approval} />
      </ul>
      <ul class="scopes">
        {apiScopes.map((scope) => (
          <li>
            {scopes[scope]} {isWider && newScopes.includes(scope) && <Tag kind="warning">new</Tag>}
            <code class="muted small">{scope}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        {status !== 'approved' && (
          <Form action={action} label={`Approve ${appName}`}>
            <input type="hidden" name="scopes" value={apiScopes.join(' ')} />
            <Button
              name="decision"
              value="approve"
              label={isWider ? `Approve what is new for ${appName}` : `Approve ${appName}`}
            >
              {isWider ? 'Approve what is new' : 'Approve'}
            </Button>
          </Form>
        )}
        {(status === 'approved' || isWider) && (
          <Confirm
            action={action}
            text="Revoke"
            about={`${appName} loses its access here at once, for every member.`}
            button={`Revoke ${appName}`}
            name="decision"
            value="revoke"
          />
        )}
      </div>
    </Card>
  );
};

/** The events behind the status: actor, action and time. */
const History = ({
  status,
  requestedAt,
  requestedBy,
  approvedAt,
  approvedBy,
  revokedAt,
  revokedBy,
  changedAt,
  changedBy,
}: Approval) => (
  <>
    {requestedAt && status === 'requested' && (
      <li>
        {requestedBy} first signed in through it on <Time at={requestedAt} />
      </li>
    )}
    {approvedAt && (
      <li>
        Approved by {approvedBy ?? 'an admin'} on <Time at={approvedAt} />
      </li>
    )}
    {status === 'widened' && (
      <li>
        {changedAt ? (
          <>
            {changedBy ?? 'The operator'} changed what it asks for on <Time at={changedAt} />
          </>
        ) : (
          'It has come to ask for more since'
        )}
        ; what you approved before keeps working
      </li>
    )}
    {revokedAt && (
      <li>
        Revoked by {revokedBy ?? 'an admin'} on <Time at={revokedAt} />
      </li>
    )}
  </>
);
