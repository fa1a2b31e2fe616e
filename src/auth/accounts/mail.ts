/**
 * Mail, when SMTP_URL is set. Optional: links are also shown to admins and printed for operators.
 */
import type { Config } from '../../config.js';
import { type InvitationLink, invitationLifetime } from './invitations.js';
import { type Link, type LinkPurpose, lifetimeOf } from './links.js';

export interface Mailer {
  /** @throws when the mail server refuses the message. */
  sendLink(link: Link | InvitationLink): Promise<void>;
  close(): void;
}

const texts: Record<LinkPurpose, { subject: string; why: string }> = {
  invitation: {
    subject: 'Your invitation to Lanyard',
    why: 'You were invited to Lanyard, which keeps track of who may safely work on site. Open this link to accept:',
  },
  reset: {
    subject: 'A new password for Lanyard',
    why: 'Someone, most likely you, asked for a new password for your Lanyard account. Open this link to choose one:',
  },
};

export async function createMailer(config: Config): Promise<Mailer | undefined> {
  if (!config.SMTP_URL) return undefined;
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(config.SMTP_URL);
  const from = config.MAIL_FROM ?? `Lanyard <no-reply@${new URL(config.BASE_URL).hostname}>`;
  return {
    async sendLink({ url, email, displayName, purpose }) {
      const { subject, why } = texts[purpose];
      const text = `Hello ${displayName || email},\n\n${why}\n\n${url}\n\nThe link works once, for ${purpose === 'invitation' ? invitationLifetime : lifetimeOf(purpose)}. If you did not expect this e-mail, you can ignore it: nothing changes.\n`;
      await transport.sendMail({ from, to: email, subject, text });
    },
    close: () => transport.close(),
  };
}
