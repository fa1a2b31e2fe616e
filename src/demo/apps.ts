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
    updatedAt: momentOf(dayAfter(day, -30), number),
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
