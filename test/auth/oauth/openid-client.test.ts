import * as client from 'openid-client';
import { Browser } from './browser.js';
import { allow, climber, signIn, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();

for (const party of [ThirdParty.reader(app.base), ThirdParty.sync(app.base)]) {
  test(`openid-client: ${party.clientId} from discovery to sign-out`, async () => {
    const authentication = party.secret ? client.ClientSecretBasic(party.secret) : client.None();
    const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] };
    const config = await client.discovery(
      new URL(party.issuer),
      party.clientId,
      undefined,
      authentication,
      options,
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [state, nonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: party.redirectUri,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const browser = new Browser(app.base);
    const end = await allow(browser, await signIn(browser, await browser.get(url), climber));

    const tokens = await client.authorizationCodeGrant(config, end.url, {
      pkceCodeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    expect(claims?.email).toBe(climber);
    expect((await client.fetchUserInfo(config, tokens.access_token, claims?.sub ?? '')).email).toBe(
      climber,
    );
    const me = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${app.base}/v1/me`),
      'GET',
    );
    expect(me.status).toBe(200);

    const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await client.tokenIntrospection(config, next.access_token)).active).toBe(true);
    await client.tokenRevocation(config, next.refresh_token ?? '');
    expect((await client.tokenIntrospection(config, next.access_token)).active).toBe(false);
    expect(
      client
        .buildEndSessionUrl(config, { id_token_hint: next.id_token ?? '' })
        .href.startsWith(`${party.issuer}/logout?`),
    ).toBe(true);
  });
}
