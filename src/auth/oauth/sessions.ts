/**
 * The session of the authorization server follows the portal's web session, checked at each
 * request: one sign-in, one sign-out.
 */
import type { ParameterizedContext } from 'koa';
import type Provider from 'oidc-provider';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { writeCookie } from '../accounts/cookies.js';
import { endSession, sessionOf } from '../accounts/sessions.js';
import { currentRequest } from './request.js';

type Session = InstanceType<Provider['Session']>;
type SessionClass = Omit<Provider['Session'], 'get'> & {
  get(ctx: ParameterizedContext): Promise<Session>;
  instantiate(payload?: object): Session;
};

/**
 * Makes the provider's session, which records the grants of apps, follow the web session: it is
 * reset when another person, or no one, is signed in.
 */
export function followWebSessions(provider: Provider, config: Config, db: Database): void {
  const sessions = provider.Session as unknown as SessionClass;
  const get = sessions.get.bind(sessions);
  sessions.get = async (ctx) => {
    const web = await sessionOf(ctx, config, db);
    let session = await get(ctx);
    if (session.accountId && session.accountId !== web?.user.id) {
      await session.destroy();
      session = sessions.instantiate({});
    }
    if (web) {
      session.loginAccount({
        accountId: web.user.id,
        loginTs: Math.floor(Date.parse(web.signedInAt) / 1000),
        transient: true,
      });
      // Otherwise a new session is not stored, and an interaction would wait for one that does not
      // exist.
      Object.assign(session, { touched: true });
    }
    return session;
  };
}

/** Also ends the web session when the person signed out at the request of an app. */
export async function endWebSession(
  ctx: ParameterizedContext,
  config: Config,
  db: Database,
): Promise<void> {
  const web = await sessionOf(ctx, config, db);
  if (!web) return;
  await endSession(
    db,
    { userId: web.user.id, appId: null, requestId: currentRequest()?.requestId ?? null },
    web.id,
  );
  writeCookie(ctx, config, 'session', null);
}
