import {
  addPasskey,
  confirmPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
} from '../../auth/accounts/passkeys.js';
import { changePassword, checkCurrentPassword } from '../../auth/accounts/passwords.js';
import {
  endOtherSessions,
  endSession,
  isFresh,
  listSessions,
  type WebSession,
} from '../../auth/accounts/sessions.js';
import { grantsOf, revokeGrant } from '../../auth/apps/grants.js';
import { auditOf } from '../../auth/audit.js';
import { ApiError } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { field } from '../../pages/context.js';
import { browserSecret } from '../../pages/csrf.js';
import { readText, TextError } from '../../scalars/text.js';
import { audited } from '../audited.js';
import { actorOf } from '../organization.js';
import {
  type PortalContext,
  type PortalRoute,
  requireSession,
  requireUser,
  SeeOther,
} from '../route.js';
import { activityPath, showActivity } from './activity.js';
import { showAccount } from './page.js';
import { showUnconfirmed } from './passkeys.js';

export const accountRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: '/portal/account', handler: show },
  { method: 'POST', path: '/portal/account/password', handler: takePassword },
  { method: 'POST', path: '/portal/account/passkeys/challenge', handler: giveChallenge },
  { method: 'POST', path: '/portal/account/passkeys', handler: takePasskey },
  { method: 'GET', path: '/portal/account/passkeys', handler: askAboutPasskeys },
  { method: 'POST', path: '/portal/account/passkeys/confirm', handler: keepPasskey },
  { method: 'POST', path: '/portal/account/passkeys/remove', handler: dropPasskey },
  { method: 'POST', path: '/portal/account/sessions/end', handler: dropSession },
  { method: 'POST', path: '/portal/account/sessions/end-others', handler: dropOthers },
  { method: 'POST', path: '/portal/account/grants/end', handler: dropGrant },
  { method: 'GET', path: activityPath, handler: showActivity },
];

async function show(ctx: PortalContext, failure?: ApiError): Promise<void> {
  const session = requireSession(ctx);
  const { db } = ctx.state.portal;
  const userId = session.user.id;
  const [passkeys, sessions, grants, activity] = await Promise.all([
    listPasskeys(db, userId),
    listSessions(db, userId),
    grantsOf(db, { userId }),
    auditOf(db, { userId }),
  ]);
  showAccount(ctx, { session, passkeys, sessions, grants, activity }, failure);
}

/** Runs the change and shows the account, with the outcome or the error. */
async function change(ctx: PortalContext, work: () => Promise<string>): Promise<void> {
  let done: string;
  try {
    done = await work();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 404) return show(ctx, error);
    throw error;
  }
  throw new SeeOther(`/portal/account?done=${done}`);
}

async function takePassword(ctx: PortalContext): Promise<void> {
  const session = requireSession(ctx);
  const { db, limiter } = ctx.state.portal;
  const { user } = session;
  const read = (name: string) => ctx.state.form.get(name) ?? '';
  await change(ctx, async () => {
    await audited(ctx, 'fail_change_password', { userId: user.id }, 'wrong_password', () =>
      checkCurrentPassword(db, limiter, session, read('current')),
    );
    const also = { grants: read('grants') !== '', passkeys: read('passkeys') !== '' };
    const ended = await changePassword(
      db,
      session,
      actorOf(ctx),
      read('password'),
      read('repeated'),
      also,
    );
    return `password&ended=${ended}`;
  });
}

/**
 * A passkey gives permanent access, so it needs recent authentication: an unattended browser is not
 * enough.
 */
function requireFresh(ctx: PortalContext): WebSession {
  const session = requireSession(ctx);
  if (!isFresh(session))
    throw new ApiError(
      'forbidden',
      'It is more than a quarter of an hour since you signed in. Sign in again to add a passkey.',
    );
  return session;
}

async function giveChallenge(ctx: PortalContext): Promise<void> {
  const { user } = requireFresh(ctx);
  const { db, config } = ctx.state.portal;
  ctx.body = await registrationOptions(db, config, user, browserSecret(ctx, config));
}

async function takePasskey(ctx: PortalContext): Promise<void> {
  const { user } = requireFresh(ctx);
  const { db, config } = ctx.state.portal;
  const name = readName(field(ctx, 'name')) || 'Passkey';
  await change(ctx, async () => {
    await addPasskey(
      db,
      config,
      user,
      browserSecret(ctx, config),
      field(ctx, 'credential'),
      name,
      actorOf(ctx),
    );
    return 'passkey';
  });
}

/** @throws {ApiError} `validation_error`. */
function readName(text: string): string {
  try {
    return readText(text, { min: 0, max: 100 });
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    throw new ApiError('validation_error', `The name ${error.message}.`);
  }
}

async function dropPasskey(ctx: PortalContext): Promise<void> {
  const user = requireUser(ctx);
  await change(ctx, async () => {
    await removePasskey(ctx.state.portal.db, user.id, field(ctx, 'credential'), actorOf(ctx));
    if (field(ctx, 'from') === 'unconfirmed') throw new SeeOther(unconfirmed);
    return 'passkey-removed';
  });
}

const unconfirmed = '/portal/account/passkeys';

async function keepPasskey(ctx: PortalContext): Promise<void> {
  const user = requireUser(ctx);
  await confirmPasskey(ctx.state.portal.db, user.id, field(ctx, 'credential'), actorOf(ctx));
  throw new SeeOther(unconfirmed);
}

async function askAboutPasskeys(ctx: PortalContext): Promise<void> {
  showUnconfirmed(ctx, await listPasskeys(ctx.state.portal.db, requireUser(ctx).id));
}

async function dropSession(ctx: PortalContext): Promise<void> {
  const person = actorOf(ctx);
  const sessionId = uuidOf(field(ctx, 'session'));
  await change(ctx, async () => {
    const hasEnded = sessionId && (await endSession(ctx.state.portal.db, person, sessionId));
    if (!hasEnded) throw new ApiError('not_found', 'This session has already ended.');
    return 'session';
  });
}

async function dropOthers(ctx: PortalContext): Promise<void> {
  const { id } = requireSession(ctx);
  await change(
    ctx,
    async () => `sessions&ended=${await endOtherSessions(ctx.state.portal.db, actorOf(ctx), id)}`,
  );
}

async function dropGrant(ctx: PortalContext): Promise<void> {
  const actor = actorOf(ctx);
  await change(ctx, async () => {
    await revokeGrant(ctx.state.portal.db, actor, { userId: actor.userId }, field(ctx, 'grant'));
    return 'grant';
  });
}
