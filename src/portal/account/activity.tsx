/** What happened to a person's account: the newest on the account page, and all of it on one of its own. */
import { type AuditEntry, auditOf } from '../../auth/audit.js';
import { uuidOf } from '../../edge/form.js';
import { AuditLog } from '../audit/log.js';
import { Card, LinkButton, Setting } from '../components.js';
import { page } from '../page.js';
import { type PortalContext, requireUser } from '../route.js';

export const activityPath = '/portal/account/activity';

/** Events on the account page. */
const newest = 5;

export const Activity = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <Setting title="Recent activity" about="If you don't know something here, change your password and end the sessions that aren't yours.">
    <AuditLog entries={entries.slice(0, newest)} home={activityPath} about="person" />
    {entries.length > newest && (
      <LinkButton href={activityPath} kind="plain">
        All activity
      </LinkButton>
    )}
  </Setting>
);

export async function showActivity(ctx: PortalContext): Promise<void> {
  const { id: userId } = requireUser(ctx);
  const entries = await auditOf(ctx.state.portal.db, { userId }, uuidOf(ctx.query.before));
  page(
    ctx,
    { title: 'Activity' },
    <>
      <h1>Activity</h1>
      <p class="lead">Sign-ins, failed ones too, and what was changed about your account.</p>
      <Card title="What happened">
        <AuditLog entries={entries} home={activityPath} about="person" />
      </Card>
      <LinkButton href="/portal/account" kind="plain">
        Back to the account
      </LinkButton>
    </>,
  );
}
