import { climber, meStatus, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);
const sync = ThirdParty.sync(app.base);

describe('POST /token, grant_type=refresh_token', () => {
  test('200: a new refresh token, a new access token and a new ID token', async () => {
    const first = await reader.signIn(climber);
    const { status, body: second, headers } = await reader.refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.id_token).toBeTruthy();
    expect(second.scope).toBe(first.scope);
    expect(await meStatus(app.base, second.access_token)).toBe(200);
    expect((await sync.refresh((await sync.signIn(climber)).refresh_token)).status).toBe(200);
  });

  test('a replay kills the new token and its access token; other sign-ins live', async () => {
    const other = await reader.signIn(climber);
    const first = await reader.signIn(climber);
    const { body: second } = await reader.refresh(first.refresh_token);
    const replay = await reader.refresh(first.refresh_token);
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect((await reader.refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect(await meStatus(app.base, first.access_token)).toBe(401);
    expect(await meStatus(app.base, second.access_token)).toBe(401);
    expect(await meStatus(app.base, other.access_token)).toBe(200);
    expect((await reader.refresh(other.refresh_token)).status).toBe(200);
  });

  test("another app's token: invalid_grant, and it still works for its own", async () => {
    const { refresh_token } = await reader.signIn(climber);
    const thief = await new ThirdParty(app.base, 'demo-dashboard').refresh(refresh_token);
    expect([thief.status, thief.body.error]).toEqual([400, 'invalid_grant']);
    expect((await reader.refresh(refresh_token)).status).toBe(200);
  });

  test('a wider scope: invalid_scope; a narrower one narrows; API scopes change nothing', async () => {
    const { refresh_token } = await reader.signIn(climber, { scope: 'openid profile' });
    const wider = await reader.refresh(refresh_token, { scope: 'openid profile email' });
    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
    const narrower = await reader.refresh(refresh_token, {
      scope: 'profile certification_records:read job-roles:write',
    });
    expect(narrower.body.scope).toBe('profile');
    expect(
      (await reader.refresh(narrower.body.refresh_token, { scope: 'certifications:read' })).body
        .scope,
    ).toBe('openid profile');
  });

  test('lives 30 days idle, and 90 days in all', async () => {
    const days = async () =>
      (
        await app.db.query<{ days: number }>(
          `select round(extract(epoch from expires_at - now()) / 86400)::int as days from oauth_artefacts
         where model = 'RefreshToken' and consumed_at is null order by expires_at desc limit 1`,
        )
      )[0]?.days;
    await app.db.query(`delete from oauth_artefacts where model = 'RefreshToken'`);
    const { refresh_token } = await reader.signIn(climber);
    expect(await days()).toBe(30);
    const signedIn = Math.floor(Date.now() / 1000) - 80 * 86_400;
    await app.db.query(
      `update oauth_artefacts set payload = payload || jsonb_build_object('iiat', $1::bigint) where model = 'RefreshToken'`,
      [signedIn],
    );
    expect((await reader.refresh(refresh_token)).status).toBe(200);
    expect(await days()).toBe(10);
  });

  test('expired: invalid_grant', async () => {
    const { refresh_token } = await reader.signIn(climber);
    await app.db.query(
      `update oauth_artefacts set payload = payload || '{"exp": 1}' where model = 'RefreshToken' and consumed_at is null`,
    );
    expect((await reader.refresh(refresh_token)).body.error).toBe('invalid_grant');
  });

  test('a person who was disabled: invalid_grant', async () => {
    const { refresh_token } = await reader.signIn('both@skyline.example');
    await app.db.query(`update users set status = 'disabled' where email = 'both@skyline.example'`);
    expect((await reader.refresh(refresh_token)).body.error).toBe('invalid_grant');
  });

  test('an app that was disabled: invalid_client', async () => {
    const pending = new ThirdParty(app.base, 'demo-pending');
    const { refresh_token } = await pending.signIn(climber);
    await app.db.query(`update apps set status = 'disabled' where client_id = 'demo-pending'`);
    const answer = await pending.refresh(refresh_token);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});
