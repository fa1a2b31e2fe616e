/** A portal page: a row in a route table, and a handler that takes a context. */
import type { ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { InvitationLimiter } from '../auth/accounts/invitation-limits.js';
import type { SignInLimiter } from '../auth/accounts/limits.js';
import type { Mailer } from '../auth/accounts/mail.js';
import type { WebSession, WebUser } from '../auth/accounts/sessions.js';
import type { KeyRing } from '../auth/keys.js';
import type { OAuthServer } from '../auth/oauth/server.js';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import type { PageContext, PageState } from '../pages/context.js';

export interface PortalDeps {
  readonly config: Config;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly oauth: OAuthServer;
  readonly log: Logger;
}

export interface Portal extends PortalDeps {
  readonly limiter: SignInLimiter;
  readonly invitationLimiter: InvitationLimiter;
  /** Undefined when no mail server is configured. */
  readonly mailer: Mailer | undefined;
}

export interface PortalState extends PageState {
  readonly portal: Portal;
}

export type PortalContext = ParameterizedContext<PortalState, Pick<PageContext, 'params'>>;
export type PortalHandler = (ctx: PortalContext) => void | Promise<void>;

export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  /** In the syntax of `@koa/router`: `/portal/apps/:id`. */
  readonly path: string;
  readonly handler: PortalHandler;
}

/** Thrown to redirect the browser, always to a GET. */
export class SeeOther extends Error {
  constructor(readonly location: string) {
    super(`See ${location}`);
  }
}

/** The signed-in user. @throws {SeeOther} to the sign-in page, which leads back here. */
export function requireUser(ctx: PortalContext): WebUser {
  return requireSession(ctx).user;
}

/** Like {@link requireUser}. */
export function requireSession(ctx: PortalContext): WebSession {
  if (ctx.state.session) return ctx.state.session;
  const back = ctx.method === 'GET' ? ctx.url : '/portal';
  throw new SeeOther(`/portal/sign-in?next=${encodeURIComponent(back)}`);
}
