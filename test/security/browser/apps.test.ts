/** What the owner of an app can do by mistake, and how much. */
import { maxAppsPerPerson, registerApp } from '../../../src/auth/apps/registry.js';
import { maxSecretsPerApp, rotateSecret, secretsOf } from '../../../src/auth/apps/secrets.js';
import { demoRedirectUri } from '../../../src/demo/apps.js';
import { ApiError } from '../../../src/errors.js';
import { Browser, formsOf, type Visit } from '../../auth/oauth/browser.js';
import { basic, postForm, signIn, startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';
import { ensure, fail, satisfying } from '../../support/expect.js';
import { skylineId, userId } from '../../support/names.js';

const app = await startOAuthApp();
const { db, config } = app;
const email = 'admin@skyline.example';
const actor = { userId: userId(email), appId: null, requestId: null };
const input = (method: string) => ({
  name: 'Night Sync',
  tokenEndpointAuthMethod: method,
  redirectUris: [demoRedirectUri],
  apiScopes: ['certification_records:read'],
});

async function enter(): Promise<Browser> {
  const browser = new Browser(app.base);
  await signIn(browser, await browser.get('/portal/sign-in'), email);
  return browser;
}

const csrfOf = (page: Visit): string => formsOf(page.html)[0]?.fields.csrf ?? fail('no form');
const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

describe('an app authenticates', () => {
  const verdict = async (method: string, used: 'basic' | 'post' | 'none', isRight = true) => {
    const { clientId, secret = 'none', id } = await registerApp(db, actor, config, input(method));
    const given = isRight ? secret : 'lanyard_secret_wrong';
    const fields = { grant_type: 'refresh_token', refresh_token: 'none' };
    const { status, body } = await postForm(
      `${app.base}/auth/v1/oauth/token`,
      {
        ...fields,
        ...(used !== 'basic' && { client_id: clientId }),
        ...(used === 'post' && { client_secret: given }),
      },
      used === 'basic' ? { authorization: basic(clientId, given) } : {},
    );
    await db.query('delete from apps where id = $1', [id]);
    return [status, body.error, body.error_description] as const;
  };

  for (const [method, right] of [
    ['client_secret_basic', 'basic'],
    ['client_secret_post', 'post'],
    ['none', 'none'],
  ] as const) {
    it(`registered with ${method}, in this way alone`, async () => {
      for (const used of ['basic', 'post', 'none'] as const) {
        const [status, error] = await verdict(method, used);
        expect([used, [status, error]]).toStrictEqual([
          used,
          used === right ? [400, 'invalid_grant'] : [401, 'invalid_client'],
        ]);
      }
    });
  }

  it('in another way: is told which, and nothing about the secret', async () => {
    const right = await verdict('client_secret_basic', 'post');
    expect(right[2]).toMatch(/registered with client_secret_basic/);
    expect(await verdict('client_secret_basic', 'post', false)).toStrictEqual(right);
  });
});

describe('what is lost at once is confirmed first', () => {
  it('a form without the confirmation changes nothing; the page has it', async () => {
    const browser = await enter();
    const { id, secret } = await registerApp(db, actor, config, input('client_secret_basic'));
    expect(secret).toBeTruthy();
    const reader = ThirdParty.reader(app.base);
    await reader.signIn('climber@skyline.example');
    const [{ id: readerId } = { id: '' }] = await db.query<{ id: string }>(
      `select id from apps where client_id = 'demo-reader'`,
    );
    const [grant] = await db.query<{ id: string }>('select id from grants where app_id = $1', [
      readerId,
    ]);
    const state = () =>
      db.query(
        `select (select count(*) from app_secrets where app_id = $1 and expires_at is null) as secrets, (select status from apps where id = $1),
           (select count(*) from grants where app_id = $2) as grants,
           (select count(*) from app_approvals where app_id = $2 and revoked_at is null) as approvals,
           (select token_endpoint_auth_method from apps where id = $1) as method`,
        [id, readerId],
      );
    const before = await state();
    const page = await browser.get(`/portal/apps/${id}`);
    const csrf = csrfOf(page);
    const [live] = await secretsOf(db, id);
    const skyline = `/portal/organizations/${skylineId}/approvals`;
    const settings = {
      name: 'Night Sync',
      method: 'none',
      redirectUris: demoRedirectUri,
      scope: 'certification_records:read',
    };
    const forms: readonly (readonly [
      page: string,
      action: string,
      fields: Record<string, string>,
    ])[] = [
      [`/portal/apps/${id}`, `/portal/apps/${id}/secrets/${live?.id}/revoke`, {}],
      [`/portal/apps/${id}`, `/portal/apps/${id}/status`, { status: 'disabled' }],
      [`/portal/apps/${id}`, `/portal/apps/${id}/delete`, {}],
      ['', `/portal/apps/${id}/secrets`, { overlap: '0' }],
      ['', `/portal/apps/${id}/settings`, settings],
      [
        `/portal/apps/${readerId}/sign-ins`,
        `/portal/apps/${readerId}/grants/${grant?.id}/revoke`,
        {},
      ],
      [skyline, `${skyline}/${readerId}`, { decision: 'revoke' }],
    ];
    for (const [shown, action, fields] of forms) {
      const answer = await browser.post(action, { csrf, ...fields });
      expect([action, await state()]).toStrictEqual([action, before]);
      ensure([200, 422].includes(answer.status), `${action}: ${answer.status}`);
      const confirmation = shown ? await browser.get(shown) : answer;
      expect([action, confirmation.html]).toStrictEqual([
        action,
        expect.stringMatching(new RegExp(`action="${action}"[^>]*>[^]*?name="sure" value="yes"`)),
      ]);
    }
    const [revoke] = forms;
    await browser.submit(await browser.get(`/portal/apps/${id}`), revoke?.[1] ?? '');
    expect(await secretsOf(db, id)).toEqual([]);
  });

  it('a new secret that ends the old ones, and an app that becomes public, when confirmed', async () => {
    const browser = await enter();
    const { id } = await registerApp(db, actor, config, input('client_secret_basic'));
    const [old] = await secretsOf(db, id);
    const page = await browser.get(`/portal/apps/${id}`);
    await browser.post(`/portal/apps/${id}/secrets`, {
      csrf: csrfOf(page),
      overlap: '0',
      sure: 'yes',
    });
    const after = await secretsOf(db, id);
    expect(after).toHaveLength(1);
    expect(after[0]?.id).not.toBe(old?.id);
    const fields = {
      csrf: csrfOf(page),
      name: 'Night Sync',
      method: 'none',
      redirectUris: demoRedirectUri,
    };
    const asked = await browser.post(`/portal/apps/${id}/settings`, fields);
    expect(asked.html).toMatch(/End its secrets\?/);
    await browser.submit(asked, '/settings', { sure: 'yes' });
    const [row] = await db.query<{ method: string }>(
      'select token_endpoint_auth_method as method from apps where id = $1',
      [id],
    );
    expect([row?.method, await secretsOf(db, id)]).toEqual(['none', []]);
  });
});

describe('a person', () => {
  it(`owns ${maxAppsPerPerson} apps at most, also when they are registered at once`, async () => {
    const owner = { ...actor, userId: userId('climber@skyline.example') };
    const all = await Promise.allSettled(
      Array.from({ length: maxAppsPerPerson + 6 }, () =>
        registerApp(db, owner, config, input('none')),
      ),
    );
    const refused = all.filter((each) => each.status === 'rejected');
    expect(refused).toHaveLength(6);
    expect(refused.every(({ reason }) => isConflict(reason))).toBe(true);
    const [row] = await db.query<{ count: number }>(
      'select count(*)::int as count from apps where owner_id = $1',
      [owner.userId],
    );
    expect(row?.count).toBe(maxAppsPerPerson);
    // Another person is not concerned.
    expect(await registerApp(db, actor, config, input('none'))).toBeTruthy();
  });

  it(`has ${maxSecretsPerApp} working secrets of an app at most`, async () => {
    const { id } = await registerApp(db, actor, config, input('client_secret_basic'));
    for (let count = 1; count < maxSecretsPerApp; count++) await rotateSecret(db, actor, id, 24);
    await expect(rotateSecret(db, actor, id, 24)).rejects.toEqual(satisfying(isConflict));
    // One that ends the others is no more.
    expect(await rotateSecret(db, actor, id, 0)).toBeTruthy();
  });
});
