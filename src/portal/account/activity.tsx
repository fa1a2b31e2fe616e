/** Events of a person's account: the newest ones on the account page, all on a separate page. */
import { type AuditEntry, auditOf } from '../../auth/audit.js';
import { uuidOf } from '../../http/form.js';
import { Card, LinkButton, Setting } from '../../pages/components.js';
import { PageLanguage, textsOf, useTexts } from '../../pages/language.js';
import { page } from '../../pages/page.js';
import { AuditLog } from '../audit/log.js';
import { type PortalContext, requireUser } from '../route.js';

export const activityPath = '/portal/account/activity';

/** Number of events on the account page. */
const newest = 5;

export const Activity = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <Setting title={useTexts().account.activity} about={useTexts().account.activityText}>
    <Log entries={entries.slice(0, newest)} />
    {entries.length > newest && (
      <LinkButton href={activityPath} kind="plain">
        {useTexts().account.allActivity}
      </LinkButton>
    )}
  </Setting>
);

/** The sentences of an audit log are English. */
const Log = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <div lang="en">
    <PageLanguage.Provider value="en">
      <AuditLog entries={entries} home={activityPath} about="person" />
    </PageLanguage.Provider>
  </div>
);

export async function showActivity(ctx: PortalContext): Promise<void> {
  const { id: userId } = requireUser(ctx);
  const entries = await auditOf(ctx.state.portal.db, { userId }, uuidOf(ctx.query.before));
  const t = textsOf(ctx).account;
  page(
    ctx,
    { title: t.activityTitle },
    <>
      <h1>{t.activityTitle}</h1>
      <p class="lead">{t.activityLead}</p>
      <Card title={t.happened}>
        <Log entries={entries} />
      </Card>
      <LinkButton href="/portal/account" kind="plain">
        {t.back}
      </LinkButton>
    </>,
  );
}
