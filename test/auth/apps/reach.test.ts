/** What a token may do changes with its app at the next request. */
import { approve, revokeApproval } from '../../../src/auth/apps/approvals.js';
import { grantsOf, revokeGrant } from '../../../src/auth/apps/grants.js';
import {
  deleteApp,
  registerApp,
  setAppStatus,
  updateApp,
} from '../../../src/auth/apps/registry.js';
import { demoId } from '../../../src/demo/ids.js';
import { startApp } from '../../support/app.js';

const app = await startApp();
const { db, config } = app;
const skyline = demoId('organization', 'skyline-towers');
const actor = { userId: demoId('user', 'climber@skyline.example'), appId: null, requestId: null };
const admin = { ...actor, userId: demoId('user', 'admin@skyline.example') };
const settings = {
  name: 'Crew Board',
  tokenEndpointAuthMethod: 'none',
  redirectUris: ['https://crew.example/callback'],
  apiScopes: ['organizations:read'],
};
const wider = { ...settings, apiScopes: ['organizations:read', 'job_roles:read'] };

async function approvedApp() {
  const { id, clientId } = await registerApp(db, actor, config, settings);
  await approve(db, admin, skyline, id, settings.apiScopes);
  const token = await app.token('manager@skyline.example', clientId);
  const answers = async (path: string) => {
    const { status, body } = await app.rest('GET', path, { token });
    return [status, body.error?.code ?? 'data'];
  };
  return {
    id,
    answers,
    organization: () => answers(`/v1/organizations/${skyline}`),
    jobRoles: () => answers(`/v1/organizations/${skyline}/job-roles`),
    me: async () => (await app.rest('GET', '/v1/me', { token })).body.data,
  };
}

const ok = [200, 'data'];

describe('the same token, at the next request', () => {
  it('after a widening: approval_required for what is new and 200 for what was approved, then 200 for both', async () => {
    const { id, organization, jobRoles, me } = await approvedApp();
    expect([await organization(), await jobRoles()]).toStrictEqual([
      ok,
      [403, 'insufficient_scope'],
    ]);
    await updateApp(db, actor, config, id, wider);
    expect([await organization(), await jobRoles()]).toStrictEqual([
      ok,
      [403, 'approval_required'],
    ]);
    expect((await me()).organizations[0].approval_required).toBe(true);
    await approve(db, admin, skyline, id, wider.apiScopes);
    expect([await organization(), await jobRoles()]).toStrictEqual([ok, ok]);
    expect((await me()).organizations[0].approved_scopes).toStrictEqual(wider.apiScopes);
  });

  it('after a narrowing: 403', async () => {
    const { id, organization } = await approvedApp();
    await updateApp(db, actor, config, id, { ...settings, apiScopes: [] });
    expect(await organization()).toEqual([403, 'insufficient_scope']);
  });

  it('after an admin revoked: approval_required', async () => {
    const { id, organization } = await approvedApp();
    await revokeApproval(db, admin, skyline, id);
    expect(await organization()).toEqual([403, 'approval_required']);
  });

  it('after the app was disabled: 401, and 200 again when it is enabled', async () => {
    const { id, organization } = await approvedApp();
    await setAppStatus(db, actor, id, 'disabled');
    expect(await organization()).toEqual([401, 'unauthenticated']);
    await setAppStatus(db, actor, id, 'active');
    expect(await organization()).toStrictEqual(ok);
  });

  it('after the grant was revoked: 401', async () => {
    const { id, organization } = await approvedApp();
    for (const grant of await grantsOf(db, { appId: id }))
      await revokeGrant(db, actor, { appId: id }, grant.id);
    expect(await organization()).toEqual([401, 'unauthenticated']);
  });

  it('after the app was deleted: 401', async () => {
    const { id, organization } = await approvedApp();
    await deleteApp(db, actor, id);
    expect(await organization()).toEqual([401, 'unauthenticated']);
  });
});
