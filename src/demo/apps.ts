/** The apps of the demo set, and their approvals by the tenants. */
import { hashSecret } from '../auth/accounts/secrets.js';
import { apiScopes } from '../auth/scopes.js';
import { parseTable, words } from '../catalogue/table.js';
import { dayAfter } from '../scalars/day.js';
import { momentOf } from './days.js';
import { demoId } from './ids.js';

/** The client secret of `demo-sync`. */
export const demoSyncSecret = 'demo-sync-secret-for-local-use-only';

/** The redirect URI of every demo app: a loopback address, so that no code leaves the machine. */
export const demoRedirectUri = 'http://127.0.0.1:4100/callback';

const readScopes = apiScopes.filter((scope) => scope.endsWith(':read')).join(' ');
const syncScopes = apiScopes
  .filter((scope) => /^(organizations|organization_members|certification_records):/.test(scope))
  .join(' ');

export const demoApps = parseTable(
  ['clientId', 'name', 'authentication', 'firstParty', 'apiScopes'],
  `
    demo-dashboard · Demo Dashboard · none                · first-party · ${apiScopes.join(' ')}
    demo-sync      · Demo Sync      · client_secret_basic ·             · ${syncScopes}
    demo-reader    · Demo Reader    · none                ·             · ${readScopes}
    demo-pending   · Demo Pending   · none                ·             · organizations:read certification_records:read`,
);

const approvals = parseTable(
  ['clientId', 'organization', 'approvedBy', 'scopes'],
  `
    demo-sync      · skyline-towers · admin@skyline.example · ${syncScopes}
    demo-sync      · harbor-fiber   · admin@harbor.example  · ${syncScopes}
    demo-reader    · skyline-towers · admin@skyline.example · ${readScopes}
    demo-pending   · skyline-towers · admin@skyline.example · organizations:read`,
);

/** The app that got more scopes after its approval, and those that it had at first. */
const widened = { clientId: 'demo-pending', from: ['organizations:read'] };

export const appRows = (day: string) =>
  demoApps.map((app, number) => ({
    id: demoId('app', app.clientId),
    clientId: app.clientId,
    name: app.name,
    tokenEndpointAuthMethod: app.authentication,
    redirectUris: [demoRedirectUri],
    apiScopes: words(app.apiScopes),
    isFirstParty: app.firstParty !== '',
    status: 'active',
    ownerId: app.firstParty ? null : demoId('user', 'admin@skyline.example'),
    createdAt: momentOf(dayAfter(day, -120), number),
    updatedAt: momentOf(dayAfter(day, app.clientId === widened.clientId ? -30 : -120), number),
  }));

/**
 * The scopes of `demo-pending` were extended between the approval and the `updatedAt` of the app.
 */
export const approvalRows = (day: string) =>
  approvals.map(({ clientId, organization, approvedBy, scopes }, number) => ({
    organizationId: demoId('organization', organization),
    appId: demoId('app', clientId),
    scopes: words(scopes),
    approvedBy: demoId('user', approvedBy),
    approvedAt: momentOf(dayAfter(day, -90), number),
  }));

export const secretRows = (day: string) => [
  {
    id: demoId('app', 'demo-sync/secret'),
    appId: demoId('app', 'demo-sync'),
    hash: hashSecret(demoSyncSecret),
    hint: demoSyncSecret.slice(-4),
    createdBy: demoId('user', 'admin@skyline.example'),
    createdAt: momentOf(dayAfter(day, -120), 1),
  },
];

/** The audit of the apps: made, extended, approved. */
export function appEvents(day: string) {
  const admin = demoId('user', 'admin@skyline.example');
  const apps = appRows(day);
  const event = (
    action: string,
    appId: string,
    occurredAt: string,
    userId: string | null,
    changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>,
    organizationId: string | null = null,
  ) => {
    const name = `${appId}/${organizationId}/${action}`;
    return {
      id: demoId('audit-event', name),
      organizationId,
      userId,
      appId: null,
      action,
      subjectType: 'App',
      subjectId: appId,
      changes,
      requestId: userId === null ? null : demoId('request', name),
      occurredAt,
    };
  };
  return [
    ...apps.flatMap(({ id, clientId, name, ownerId, createdAt, updatedAt, ...app }) => {
      const isWidened = clientId === widened.clientId;
      const { tokenEndpointAuthMethod, redirectUris, isFirstParty, apiScopes } = app;
      const first = isWidened ? widened.from : apiScopes;
      const created = event('create', id, createdAt, ownerId, {
        name: [null, name],
        tokenEndpointAuthMethod: [null, tokenEndpointAuthMethod],
        redirectUris: [null, redirectUris],
        apiScopes: [null, first],
        isFirstParty: [null, isFirstParty],
      });
      return isWidened
        ? [created, event('update', id, updatedAt, ownerId, { apiScopes: [first, apiScopes] })]
        : [created];
    }),
    ...secretRows(day).map(({ appId, hint, createdAt }) =>
      event('add_secret', appId, createdAt, admin, { secret: [null, hint] }),
    ),
    ...approvalRows(day).map(({ organizationId, appId, scopes, approvedBy, approvedAt }) =>
      event('approve', appId, approvedAt, approvedBy, { scopes: [null, scopes] }, organizationId),
    ),
  ];
}
