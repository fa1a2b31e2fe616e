import { approvalsOf, approve, revokeApproval } from '../../auth/apps/approvals.js';
import { ApiError } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { field } from '../../pages/context.js';
import { requireSure } from '../../pages/forms.js';
import { pathOf, requireAdmin } from '../organization.js';
import { type PortalContext, type PortalRoute, SeeOther } from '../route.js';
import { showApprovals } from './page.js';

export const approvalRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/organizations/:id/approvals', handler: show },
  { method: 'POST', path: '/portal/organizations/:id/approvals/:app', handler: change },
];

async function show(ctx: PortalContext): Promise<void> {
  const { organization } = await requireAdmin(ctx);
  showApprovals(ctx, organization, await approvalsOf(ctx.state.portal.db, organization.id));
}

async function change(ctx: PortalContext): Promise<void> {
  const { organization, admin } = await requireAdmin(ctx);
  const { db } = ctx.state.portal;
  const appId = uuidOf(ctx.params.app);
  if (!appId) throw new ApiError('not_found', 'There is no such app.');
  const isApproval = field(ctx, 'decision') === 'approve';
  if (isApproval) await approve(db, admin, organization.id, appId, field(ctx, 'scopes').split(' '));
  else {
    requireSure(ctx);
    await revokeApproval(db, admin, organization.id, appId);
  }
  throw new SeeOther(
    `${pathOf(organization, 'approvals')}?done=${isApproval ? 'approved' : 'approval-revoked'}`,
  );
}
