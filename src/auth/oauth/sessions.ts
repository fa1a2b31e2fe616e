/** The sign-in of the authorization server is the web session of the portal, asked at each request: one sign-in, one sign-out. */
import type { ParameterizedContext } from 'koa';
import type Provider from 'oidc-provider';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { writeCookie } from '../people/cookies.js';
import { endSession, sessionOf } from '../people/sessions.js';
import { currentRequest } from './request.js';

type Session = InstanceType<Provider['Session']>;
type SessionClass = Omit<Provider['Session'], 'get'> & {
  get(ctx: ParameterizedContext): Promise<Session>;
  instantiate(payload?: object): Session;
};

/** Makes the provider's session, which remembers what apps were given, follow the web session: as new when another person, or nobody, is signed in. */
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
      session.loginAccount({ accountId: web.user.id, loginTs: Math.floor(Date.parse(web.signedInAt) / 1000), transient: true });
      // Else a new session isn't kept, and an interaction would wait for one that nobody finds.
      Object.assign(session, { touched: true });
    }
    return session;
  };
}

/** Ends the web session, too, when the person signed out at the request of an app. */
export async function endWebSession(ctx: ParameterizedContext, config: Config, db: Database): Promise<void> {
  const web = await sessionOf(ctx, config, db);
  if (!web) return;
  await endSession(db, { userId: web.user.id, appId: null, requestId: currentRequest()?.requestId ?? null }, web.id);
  writeCookie(ctx, config, 'session', null);
}
