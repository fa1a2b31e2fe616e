/**
 * Each step of the authorization server that ends something leaves an event; the pages that begin
 * it are the portal's.
 */
import { Browser } from '../../auth/oauth/browser.js';
import { type Authorized, postForm } from '../../auth/oauth/client.js';
import { climberEmail, userId } from '../../support/names.js';
import {
  app,
  type By,
  enter,
  expectEvents,
  person,
  reader,
  readerId,
  startAudited,
} from './people.js';

await startAudited();

describe('the authorization server', () => {
  const authorized = (): Promise<Authorized> =>
    reader.authorize(new Browser(app.base), climberEmail);
  const byApp: By = { userId: null, appId: readerId };

  test('a code or a refresh token that is used twice ends the grant, nobody knows by whom', async () => {
    const code = await authorized();
    await expectEvents([], byApp, () => reader.redeem(code));
    const [event] = await expectEvents(['User end_grant reason'], byApp, () => reader.redeem(code));
    expect([event?.subjectId, event?.changes]).toStrictEqual([
      userId(climberEmail),
      { reason: [null, 'used twice'] },
    ]);
    const { refresh_token: token } = await reader.signIn(climberEmail);
    await expectEvents([], byApp, () => reader.refresh(token));
    await expectEvents(['User end_grant reason'], byApp, () => reader.refresh(token));
  });

  test('an app that revokes its refresh token ends the grant', async () => {
    const { refresh_token: token } = await reader.signIn(climberEmail);
    const [event] = await expectEvents(['User end_grant reason'], byApp, () =>
      postForm(`${reader.issuer}/revoke`, { token, client_id: reader.clientId }),
    );
    expect(event?.changes).toStrictEqual({ reason: [null, 'revoked'] });
  });

  test('a sign-out at the request of an app ends the session', async () => {
    const browser = await enter(climberEmail);
    const page = await browser.get(`${reader.issuer}/logout`);
    await expectEvents(['User end_session method'], person(climberEmail), () =>
      browser.submit(page, '/logout/confirm', { logout: 'yes' }),
    );
  });
});
