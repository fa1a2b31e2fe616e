/** Limits of invitation links per organization, against mail floods through this server. */
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Database } from '../../database/connection.js';
import { consume, keyOf, limiterOf } from './limits.js';

/** Invitation links per organization and day, of all its admins together. */
export const invitationsPerOrganization = 500;
/** Invitation links per organization, address and day. */
export const invitationsPerAddress = 5;
/** Mails to one address per day, from all organizations together. */
export const invitationMailsPerAddress = 20;
const seconds = 24 * 60 * 60;

export class InvitationLimiter {
  private readonly organizations: RateLimiterPostgres;
  private readonly addresses: RateLimiterPostgres;
  private readonly mails: RateLimiterPostgres;

  constructor(db: Database) {
    this.organizations = limiterOf(db, 'invitations', invitationsPerOrganization, seconds);
    this.addresses = limiterOf(db, 'invitations-address', invitationsPerAddress, seconds);
    this.mails = limiterOf(db, 'invitation-mails', invitationMailsPerAddress, seconds);
  }

  /** Counts a link before it is created. @throws {ApiError} `rate_limited` */
  async count(organizationId: string, email: string, isMailed: boolean): Promise<void> {
    await consume(this.addresses, keyOf(`${organizationId} ${email}`));
    await consume(this.organizations, organizationId);
    if (isMailed) await consume(this.mails, keyOf(email));
  }
}
