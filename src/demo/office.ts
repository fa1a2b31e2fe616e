/** The people and apps that act in the organizations of the demo set. */
import { pick } from '../catalogue/table.js';
import { appRows, approvalRows } from './apps.js';
import { type Author, operator } from './chronicle.js';
import { later, minutes } from './days.js';
import { demoId } from './ids.js';
import { persons } from './people.js';
import { memberRows } from './rows.js';

/** When people accepted their invitation: soon after it. */
export const acceptedAt = (row: { readonly createdAt: string }, number: number): string =>
  later(row.createdAt, (40 + ((number * 17) % 60)) * minutes);

/** The admins and managers at work at an instant, and the apps in use, by organization. */
export function officeOf(day: string) {
  const memberships = memberRows(day);
  const staff = persons.flatMap(({ role, status, number, email }, index) => {
    const row = memberships[index];
    return row && status === 'active' && (role === 'admin' || role === 'manager')
      ? [{ ...row, role, email, from: acceptedAt(row, number) }]
      : [];
  });
  const dashboard = demoId('app', 'demo-dashboard');
  const sync = demoId('app', 'demo-sync');
  const dashboardFrom = appRows(day).find(({ id }) => id === dashboard)?.createdAt ?? '';
  const approvals = approvalRows(day).filter(({ appId }) => appId === sync);
  const through = (at: string) => (at > dashboardFrom ? dashboard : null);
  const by = (organizationId: string, at: string, number: number): Author => {
    const present = staff.filter(
      (each) => each.organizationId === organizationId && each.from < at,
    );
    return present.length > 0
      ? { userId: pick(present, number).userId, appId: through(at) }
      : operator;
  };
  return {
    by,
    self: (userId: string, at: string): Author => ({ userId, appId: through(at) }),
    /** An integration, from its approval on. */
    integration: (organizationId: string, at: string, number: number): Author => {
      const approval = approvals.find((each) => each.organizationId === organizationId);
      return approval && approval.approvedAt < at
        ? { userId: approval.approvedBy, appId: sync }
        : by(organizationId, at, number);
    },
  };
}
