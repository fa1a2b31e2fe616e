/** Forms for invitations, with or without a link, and for the primary membership. */
import {
  acceptAsNew,
  acceptSignedIn,
  findInvitation,
  type OpenInvitation,
} from '../../auth/accounts/invitations.js';
import { endsManagement } from '../../auth/accounts/management.js';
import { invitationEnded } from '../../auth/accounts/memberships.js';
import { listPasskeys } from '../../auth/accounts/passkeys.js';
import { acceptPending, declinePending } from '../../auth/accounts/pending.js';
import { choosePrimary } from '../../auth/accounts/primary.js';
import { ApiError, problemsOf } from '../../errors.js';
import { uuidOf } from '../../http/form.js';
import { PageError } from '../../pages/context.js';
import { actorOf } from '../organization.js';
import { type PortalContext, type PortalRoute, requireSession, SeeOther } from '../route.js';
import { begin, settleAfterwards } from '../sign-in/session.js';
import { showInvitation } from './page.js';

const link = '/portal/invitations/:secret';
const organization = '/portal/organizations/:id';

export const invitationRoutes: readonly PortalRoute[] = [
  { method: 'GET', path: link, handler: show },
  { method: 'POST', path: link, handler: takeNew },
  { method: 'POST', path: `${link}/accept`, handler: takeSignedIn },
  {
    method: 'POST',
    path: `${organization}/invitation/accept`,
    handler: (ctx) => decide(ctx, acceptPending, 'accepted'),
  },
  {
    method: 'POST',
    path: `${organization}/invitation/decline`,
    handler: (ctx) => decide(ctx, declinePending, 'declined'),
  },
  {
    method: 'POST',
    path: `${organization}/primary`,
    handler: (ctx) => decide(ctx, choosePrimary, 'primary'),
  },
];

/** A GET does not use up a link, because mail scanners open it too. */
async function show(ctx: PortalContext): Promise<void> {
  showInvitation(ctx, await requireInvitation(ctx));
}

async function requireInvitation(ctx: PortalContext): Promise<OpenInvitation> {
  const { portal, session } = ctx.state;
  const invitation = await findInvitation(portal.db, ctx.params.secret ?? '');
  // Once it created an account, the link is valid for that account only.
  const isOthers = invitation?.accountId && session && invitation.accountId !== session.user.id;
  if (!invitation || isOthers)
    throw new PageError('not_found', 'This invitation has ended', invitationEnded);
  return invitation;
}

/** Runs `work`; shows the errors of a form in it. */
async function attempt<T>(
  ctx: PortalContext,
  invitation: OpenInvitation,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!problemsOf(error)) throw error;
    showInvitation(ctx, invitation, error as ApiError);
    return undefined;
  }
}

const passwordsOf = ({ state: { form } }: PortalContext) => ({
  password: form.get('password') ?? '',
  repeated: form.get('repeated') ?? '',
});

async function takeNew(ctx: PortalContext): Promise<void> {
  const { portal, requestId } = ctx.state;
  const invitation = await requireInvitation(ctx);
  const { password, repeated } = passwordsOf(ctx);
  const proof = await attempt(ctx, invitation, () =>
    acceptAsNew(portal.db, ctx.params.secret ?? '', password, repeated, requestId),
  );
  if (!proof) return;
  settleAfterwards(ctx);
  await begin(ctx, proof);
  throw new SeeOther('/portal?done=welcome');
}

async function takeSignedIn(ctx: PortalContext): Promise<void> {
  const { id, user } = requireSession(ctx);
  const { db } = ctx.state.portal;
  const invitation = await requireInvitation(ctx);
  const done = await attempt(ctx, invitation, async () => {
    await acceptSignedIn(db, actorOf(ctx), id, ctx.params.secret ?? '', passwordsOf(ctx));
    return true;
  });
  if (!done) return;
  settleAfterwards(ctx);
  const passkeys = endsManagement(user.managedBy, invitation.organizationId)
    ? await listPasskeys(db, user.id)
    : [];
  throw new SeeOther(passkeys.length > 0 ? '/portal/account/passkeys' : '/portal?done=accepted');
}

type Decision = (
  db: PortalContext['state']['portal']['db'],
  person: ReturnType<typeof actorOf>,
  organizationId: string,
) => Promise<void>;

async function decide(ctx: PortalContext, work: Decision, done: string): Promise<void> {
  const person = actorOf(ctx);
  const organizationId = uuidOf(ctx.params.id);
  if (!organizationId) throw new ApiError('not_found');
  await work(ctx.state.portal.db, person, organizationId);
  throw new SeeOther(`/portal?done=${done}`);
}
