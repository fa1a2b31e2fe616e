import { auditOf } from '../../auth/audit.js';
import { uuidOf } from '../../http/form.js';
import { Card } from '../../pages/components.js';
import { page } from '../../pages/page.js';
import { OrganizationTabs, pathOf, requireAdmin } from '../organization.js';
import type { PortalContext, PortalRoute } from '../route.js';
import { AuditLog } from './log.js';

export const auditRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/organizations/:id/audit', handler: showAudit },
];

async function showAudit(ctx: PortalContext): Promise<void> {
  const { organization } = await requireAdmin(ctx);
  const entries = await auditOf(
    ctx.state.portal.db,
    { organizationId: organization.id },
    uuidOf(ctx.query.before),
  );
  page(
    ctx,
    { isEnglish: true, title: `Audit log of ${organization.name}` },
    <>
      <OrganizationTabs ctx={ctx} organization={organization} current="audit" />
      <Card title="Who changed what">
        <AuditLog entries={entries} home={pathOf(organization, 'audit')} about="organization" />
      </Card>
    </>,
  );
}
