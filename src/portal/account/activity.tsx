/** Events of a person's account: the newest ones on the account page, all on a separate page. */
import { type AuditEntry, auditOf } from '../../auth/audit.js';
import { uuidOf } from '../../http/form.js';
import { Card, LinkButton, Setting } from '../../pages/components.js';
import { page } from '../../pages/page.js';
import { AuditLog } from '../audit/log.js';
import { type PortalContext, requireUser } from '../route.js';

export const activityPath = '/portal/account/activity';

/** Number of events on the account page. */
const newest = 5;

export const Activity = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <Setting
    title="Recent activity"
    about="If you don't recognize something here, change your password and end the sessions that aren't yours."
  >
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
      <p class="lead">Sign-ins, also failed ones, and changes of your account.</p>
      <Card title="What happened">
        <AuditLog entries={entries} home={activityPath} about="person" />
      </Card>
      <LinkButton href="/portal/account" kind="plain">
        Back to the account
      </LinkButton>
    </>,
  );
}
