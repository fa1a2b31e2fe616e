import { demoId } from '../../../src/demo/ids.js';
import {
  admin,
  basic,
  climber,
  type Issued,
  meStatus,
  postForm,
  startOAuthApp,
  ThirdParty,
} from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);
const sync = ThirdParty.sync(app.base);
const skyline = demoId('organization', 'skyline-towers');
const harbor = demoId('organization', 'harbor-fiber');

const read = (token: string, path: string) => app.rest('GET', path, { token });
const change = (sql: string, values: unknown[] = []) => app.db.query(sql, values);

describe('a token at the API', () => {
  let issued: Issued;
  beforeAll(async () => {
    issued = await reader.signIn(climber);
  });

  test('200 with an access token', async () =>
    expect(await meStatus(app.base, issued.access_token)).toBe(200));
  test('401 with an ID token', async () =>
    expect(await meStatus(app.base, issued.id_token ?? '')).toBe(401));
  test('401 with a refresh token', async () =>
    expect(await meStatus(app.base, issued.refresh_token)).toBe(401));
  test('401 with a token in the query', async () => {
    expect((await fetch(`${app.base}/v1/me?access_token=${issued.access_token}`)).status).toBe(401);
  });
  test('401 with a tampered token, whatever part was changed', async () => {
    const parts = issued.access_token.split('.');
    for (const index of [0, 1, 2]) {
      const part = parts[index] ?? '';
      const tampered = part.slice(0, 20) + (part[20] === 'A' ? 'B' : 'A') + part.slice(21);
      expect(await meStatus(app.base, parts.with(index, tampered).join('.'))).toBe(401);
    }
    const claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    const none = [{ alg: 'none', typ: 'at+jwt' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    expect(await meStatus(app.base, `${none}.`)).toBe(401);
  });
  test('403 where the person is not a member', async () => {
    expect((await read(issued.access_token, `/v1/organizations/${harbor}`)).body.error.code).toBe(
      'forbidden',
    );
  });
});

describe('the very next request is refused', () => {
  test('when a scope was taken from the app: 403 insufficient_scope', async () => {
    const { access_token } = await reader.signIn(admin);
    expect((await read(access_token, `/v1/organizations/${skyline}/job-roles`)).status).toBe(200);
    await change(
      `update apps set api_scopes = array_remove(api_scopes, 'job_roles:read') where client_id = 'demo-reader'`,
    );
    const { status, body } = await read(access_token, `/v1/organizations/${skyline}/job-roles`);
    expect([status, body.error.code, body.error.details]).toStrictEqual([
      403,
      'insufficient_scope',
      { required_scope: 'job_roles:read' },
    ]);
    await change(
      `update apps set api_scopes = array_append(api_scopes, 'job_roles:read') where client_id = 'demo-reader'`,
    );
    expect((await read(access_token, `/v1/organizations/${skyline}/job-roles`)).status).toBe(200);
  });

  test('when the app was widened, for what is new alone and until an admin approves: 403 approval_required', async () => {
    const { access_token } = await new ThirdParty(app.base, 'demo-pending').signIn(admin);
    const path = `/v1/organizations/${skyline}/certifications`;
    expect((await read(access_token, `/v1/organizations/${skyline}`)).status).toBe(200);
    expect((await read(access_token, path)).body.error.code).toBe('approval_required');
    await change(
      `update app_approvals p set scopes = a.api_scopes from apps a where a.id = p.app_id and a.client_id = 'demo-pending'`,
    );
    expect((await read(access_token, path)).status).toBe(200);
    await change(
      `delete from app_approvals p using apps a where a.id = p.app_id and a.client_id = 'demo-pending'`,
    );
    expect((await read(access_token, path)).body.error.code).toBe('approval_required');
  });

  for (const [what, ends, restores] of [
    [
      'the app was disabled',
      `update apps set status = 'disabled' where client_id = 'demo-reader'`,
      `update apps set status = 'active'`,
    ],
    [
      'the person was disabled',
      `update users set status = 'disabled' where email = '${climber}'`,
      `update users set status = 'active'`,
    ],
    ['the grant was revoked', 'delete from grants', 'select 1'],
  ] as const) {
    test(`when ${what}: 401`, async () => {
      const { access_token } = await reader.signIn(climber);
      expect(await meStatus(app.base, access_token)).toBe(200);
      await change(ends);
      expect(await meStatus(app.base, access_token)).toBe(401);
      await change(restores);
    });
  }

  test('when the member was suspended: 403 in that organization', async () => {
    const { access_token } = await reader.signIn(climber);
    await change(`update organization_members set status = 'suspended' where email = '${climber}'`);
    expect((await read(access_token, `/v1/organizations/${skyline}`)).body.error.code).toBe(
      'forbidden',
    );
    await change(`update organization_members set status = 'active' where email = '${climber}'`);
  });

  test('when the app was deleted: 401, and nothing of its sign-ins is left', async () => {
    await change(`insert into apps (id, client_id, name, token_endpoint_auth_method, redirect_uris)
      values (gen_random_uuid(), 'short-lived', 'Short-lived', 'none', '{${reader.redirectUri}}')`);
    const shortLived = new ThirdParty(app.base, 'short-lived');
    const { access_token, refresh_token } = await shortLived.signIn(climber);
    expect(await meStatus(app.base, access_token)).toBe(200);
    await change(`delete from apps where client_id = 'short-lived'`);
    expect(await meStatus(app.base, access_token)).toBe(401);
    expect((await shortLived.refresh(refresh_token)).status).toBe(401);
  });
});

describe('POST /revoke', () => {
  const revoke = (party: ThirdParty, token: string) =>
    postForm(
      `${party.issuer}/revoke`,
      { token, ...(party.secret ? {} : { client_id: party.clientId }) },
      party.secret ? { authorization: basic(party.clientId, party.secret) } : {},
    );

  for (const party of [reader, sync]) {
    test(`${party.clientId}: an access token, alone`, async () => {
      const { access_token, refresh_token } = await party.signIn(climber);
      expect(await meStatus(app.base, access_token)).toBe(200);
      expect((await revoke(party, access_token)).status).toBe(200);
      expect(await meStatus(app.base, access_token)).toBe(401);
      const { body: next } = await party.refresh(refresh_token);
      expect(await meStatus(app.base, next.access_token)).toBe(200);
      expect((await revoke(party, access_token)).status).toBe(200);
    });

    test(`${party.clientId}: a refresh token, and with it the sign-in`, async () => {
      const other = await party.signIn(climber);
      const { access_token, refresh_token } = await party.signIn(climber);
      expect((await revoke(party, refresh_token)).status).toBe(200);
      expect(await meStatus(app.base, access_token)).toBe(401);
      expect((await party.refresh(refresh_token)).body.error).toBe('invalid_grant');
      expect(await meStatus(app.base, other.access_token)).toBe(200);
    });
  }

  test("another app's token stays", async () => {
    const { access_token, refresh_token } = await reader.signIn(climber);
    const thief = new ThirdParty(app.base, 'demo-dashboard');
    expect((await revoke(thief, access_token)).status).toBe(200);
    expect((await revoke(thief, refresh_token)).status).toBe(200);
    expect(await meStatus(app.base, access_token)).toBe(200);
    expect((await reader.refresh(refresh_token)).status).toBe(200);
  });

  test('an unknown token is revoked already; a wrong secret is refused', async () => {
    expect((await revoke(reader, 'unknown')).status).toBe(200);
    expect((await revoke(reader, 'a.b.c')).status).toBe(200);
    expect(
      (await revoke(new ThirdParty(app.base, 'demo-sync', undefined, 'wrong'), 'unknown')).status,
    ).toBe(401);
  });
});

describe('POST /introspect', () => {
  const introspect = async (party: ThirdParty, token: string) =>
    (
      await postForm(
        `${party.issuer}/introspect`,
        { token },
        { authorization: basic(party.clientId, party.secret ?? '') },
      )
    ).body;

  test("tells of the app's own access and refresh tokens, and no longer when they are dead", async () => {
    const { access_token, refresh_token } = await sync.signIn(climber);
    const { active, client_id, aud, iss, sub, exp } = await introspect(sync, access_token);
    expect({ active, client_id, aud, iss }).toStrictEqual({
      active: true,
      client_id: 'demo-sync',
      aud: `${app.base}/v1`,
      iss: sync.issuer,
    });
    expect(typeof sub).toBe('string');
    expect(exp > Date.now() / 1000).toBe(true);
    expect((await introspect(sync, refresh_token)).active).toBe(true);
    await change('delete from grants');
    expect(await introspect(sync, access_token)).toStrictEqual({ active: false });
    expect(await introspect(sync, refresh_token)).toStrictEqual({ active: false });
  });

  test("tells nothing of another app's", async () => {
    const { access_token, refresh_token } = await reader.signIn(climber);
    expect(await introspect(sync, access_token)).toStrictEqual({ active: false });
    expect(await introspect(sync, refresh_token)).toStrictEqual({ active: false });
  });
});

describe('GET and POST /userinfo', () => {
  const userinfo = (token?: string, method = 'GET') =>
    fetch(`${reader.issuer}/userinfo`, {
      method,
      headers: {
        origin: 'https://app.example',
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });

  test('tell what the identity scopes allow', async () => {
    const { access_token } = await reader.signIn(climber, { scope: 'openid email' });
    for (const method of ['GET', 'POST']) {
      const response = await userinfo(access_token, method);
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(Object.keys(await response.json())).toEqual(['sub', 'email', 'email_verified']);
    }
  });

  test('403 without openid, 401 without a token or with a dead one', async () => {
    const { access_token } = await reader.signIn(climber, { scope: 'profile' });
    const missing = await userinfo(access_token);
    expect([missing.status, (await missing.json()).error]).toEqual([403, 'insufficient_scope']);
    expect((await userinfo()).headers.get('www-authenticate')).toBe('Bearer');
    await change('delete from grants');
    const dead = await userinfo(access_token);
    expect([dead.status, dead.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ]);
    for (const { headers } of [missing, dead])
      expect(headers.get('cache-control')).toBe('no-store');
  });
});
