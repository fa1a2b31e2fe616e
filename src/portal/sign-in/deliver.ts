import type { InvitationLink } from '../../auth/accounts/invitations.js';
import type { Link } from '../../auth/accounts/links.js';
import type { PortalContext } from '../route.js';

/**
 * Mails a one-time link.
 * @returns Whether the mail server accepted it; false also without a mail server.
 */
export async function deliver(ctx: PortalContext, link: Link | InvitationLink): Promise<boolean> {
  const { mailer, log } = ctx.state.portal;
  try {
    await mailer?.sendLink(link);
    return mailer !== undefined;
  } catch (err) {
    log.error({ err, requestId: ctx.state.requestId }, 'a one-time link could not be mailed');
    return false;
  }
}
