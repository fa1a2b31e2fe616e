/** GET /v1/me */
import { setTimeout } from 'node:timers/promises';
import { apiScopes } from '../../src/auth/scopes.js';
import { issueToken } from '../../src/auth/tokens.js';
import { startApp } from '../support/app.js';
import { makeApp } from '../support/apps.js';
import { clientOf, dataOf, expectError } from '../support/client.js';
import { shortLived } from '../support/forge.js';
import * as demo from '../support/names.js';

const app = await startApp();
const me = async (email: string, clientId?: string) =>
  dataOf(await clientOf(app, email, clientId).get('/v1/me'));

describe('GET /v1/me', () => {
  test('200 with the person, the app, and what the two may do where; the primary organization first', async () => {
    const organization = { approved_scopes: apiScopes, approval_required: false };
    expect(await me(demo.bothEmail)).toStrictEqual({
      user: { id: demo.userId(demo.bothEmail), email: demo.bothEmail, display_name: 'Priya Raman' },
      app: { client_id: 'demo-dashboard', name: 'Demo Dashboard' },
      api_scopes: apiScopes,
      scopes: ['profile', 'email'],
      organizations: [
        {
          ...{ id: demo.skylineId, slug: 'skyline-towers', name: 'Skyline Towers' },
          ...{
            organization_member_id: demo.memberId(demo.bothEmail),
            role: 'manager',
            is_primary: true,
            ...organization,
          },
        },
        {
          ...{ id: demo.harborId, slug: 'harbor-fiber', name: 'Harbor Fiber' },
          ...{
            organization_member_id: demo.memberId(demo.bothEmail, 'harbor-fiber'),
            role: 'member',
            is_primary: false,
            ...organization,
          },
        },
      ],
    });
  });

  test('200 with the scopes that an admin approved, and whether more wait', async () => {
    const { api_scopes, organizations } = await me(demo.climberEmail, 'demo-pending');
    expect(api_scopes).toEqual(['organizations:read', 'certification_records:read']);
    expect(organizations).toMatchObject([
      { approved_scopes: ['organizations:read'], approval_required: true },
    ]);
    const [skyline, harbor] = (await me(demo.bothEmail, 'demo-reader')).organizations;
    expect([skyline.approved_scopes.length, skyline.approval_required]).toEqual([6, false]);
    expect([harbor.approved_scopes, harbor.approval_required]).toEqual([[], true]);
  });

  test('200 with a scope that was approved and since taken from the app no longer approved', async () => {
    await makeApp(app.db, 'narrowed', {
      scopes: ['organizations:read'],
      approved: { [demo.skylineId]: ['organizations:read', 'job_roles:read'] },
    });
    expect((await me(demo.climberEmail, 'narrowed')).organizations).toMatchObject([
      { approved_scopes: ['organizations:read'], approval_required: false },
    ]);
  });

  test('200 with the identity scopes of the token', async () => {
    const token = await issueToken(app.db, app.config, demo.climberEmail, 'demo-reader', 'openid');
    expect(dataOf(await app.rest('GET', '/v1/me', { token })).scopes).toEqual(['openid']);
  });

  test('200 without the organization of a suspended membership', async () => {
    expect((await me(demo.suspendedEmail)).organizations).toEqual([]);
  });

  test('200 with a change of the app’s scopes at once', async () => {
    await makeApp(app.db, 'changing', { scopes: ['organizations:read', 'job_roles:read'] });
    expect((await me(demo.climberEmail, 'changing')).api_scopes).toHaveLength(2);
    await app.db.query(
      `update apps set api_scopes = '{job_roles:read}' where client_id = 'changing'`,
    );
    expect((await me(demo.climberEmail, 'changing')).api_scopes).toEqual(['job_roles:read']);
    const refused = await clientOf(app, demo.climberEmail, 'changing').get('/v1/organizations');
    expectError(refused, 403, 'insufficient_scope', { required_scope: 'organizations:read' });
  });

  const ends: [what: string, end: string, mend: string][] = [
    [
      'the app is disabled',
      `update apps set status = 'disabled' where client_id = 'ending'`,
      `update apps set status = 'active' where client_id = 'ending'`,
    ],
    [
      'the person is disabled',
      `update users set status = 'disabled' where email = $1`,
      `update users set status = 'active' where email = $1`,
    ],
    [
      'the grant is over',
      'update grants set expires_at = now()',
      `update grants set expires_at = now() + interval '1 day'`,
    ],
    ['the grant is gone', 'delete from grants', 'select'],
  ];
  test('401 at once when the app, the person or the grant ends', async () => {
    await makeApp(app.db, 'ending', { scopes: [] });
    const ending = clientOf(app, demo.climberEmail, 'ending');
    for (const [what, end, mend] of ends) {
      dataOf(await ending.get('/v1/me'));
      await app.db.query(end, end.includes('$1') ? [demo.climberEmail] : []);
      expect([what, (await ending.get('/v1/me')).status]).toStrictEqual([what, 401]);
      await app.db.query(mend, mend.includes('$1') ? [demo.climberEmail] : []);
    }
  });

  test('401 for a token that was good and has expired since', async () => {
    const token = await shortLived(app, demo.climberEmail);
    dataOf(await app.rest('GET', '/v1/me', { token }));
    await setTimeout(2100);
    expectError(await app.rest('GET', '/v1/me', { token }), 401, 'unauthenticated');
  });
});
