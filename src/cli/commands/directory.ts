/** Commands for organizations and users. */
import { type InvitationLink, invitationLifetime } from '../../auth/accounts/invitations.js';
import { type Link, lifetimeOf } from '../../auth/accounts/links.js';
import { emailRule, nameRule } from '../../scalars/text.js';
import { listOrganizations, listUsers } from '../operations/directory.js';
import {
  createOrganization,
  createUser,
  inviteAgain,
  resetPassword,
  setUserStatus,
  verifyUser,
} from '../operations/people.js';
import { readOption } from '../operations/text.js';
import type { CommandOutput } from '../output/command-output.js';
import type { Call, Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

const invite = (link: Link): CommandOutput => ({
  text: handOn(link),
  json: { email: link.email, link: link.url },
});

const handOn = ({ email, url, purpose }: Link): string =>
  `Give this link only to ${email}, who sets the password with it. It works once, for ${lifetimeOf(purpose)}.\n\n  ${url}\n`;

const handOnInvitation = ({ email, url }: InvitationLink): string =>
  `Give this link only to ${email}, who accepts with a new or existing account. It works once, for ${invitationLifetime}.\n\n  ${url}\n`;

const theUser = { 'E-MAIL': 'the sign-in name of the user, or the e-mail address' };
const linkShape = 'email, link';

export function directoryCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  const on = commandsOn(withDatabase);
  const setUser = (call: Call, status: 'active' | 'disabled', then: string): Command =>
    on(
      {
        ...call,
        usage: 'E-MAIL',
        explains: theUser,
        example: 'climber@skyline.example',
        json: 'email, status',
      },
      async (db, { 'E-MAIL': email = '' }) => {
        await setUserStatus(db, email, status);
        return { text: `${email} ${then}\n`, json: { email, status } };
      },
    );

  return {
    'org list': on(
      {
        does: 'list the organizations',
        json: 'organizations[] { slug, name, status, is_publisher, members, created_at }',
      },
      (db) => listOrganizations(db),
    ),
    'org create': on(
      {
        does: 'create an organization with its first admin, who gets an invitation link',
        usage: '--name NAME --admin E-MAIL [--slug SLUG]',
        explains: {
          '--name': 'its display name',
          '--admin': 'the address of the first admin, who needs no account yet',
          '--slug':
            'its short name in URLs, of lower-case letters, digits and hyphens; default: derived from the name',
        },
        example: "--name 'North Ridge Wireless' --admin ada@northridge.example",
        json: 'slug, admin, link',
      },
      async (db, given, config) => {
        const { slug } = given;
        const name = readOption('--name', given.name ?? '', nameRule);
        const admin = readOption('--admin', given.admin ?? '', emailRule);
        const { slug: created, link } = await createOrganization(db, config, { name, admin, slug });
        return {
          text: `Created ${name} (${created}) and invited the admin ${admin}.\n${handOnInvitation(link)}`,
          json: { slug: created, admin, link: link.url },
        };
      },
    ),
    'org invite': on(
      {
        does: 'print a new invitation link for an invited member, such as the first admin; the earlier link ends',
        usage: 'SLUG --email E-MAIL',
        explains: {
          SLUG: 'the organization, as “lanyard org list” shows it',
          '--email': 'the address of the member, whose status is invited',
        },
        example: 'north-ridge-wireless --email ada@northridge.example',
        notes:
          'You vouch for the address: opening the link proves it. Give the link only to that person.',
        json: 'organization, email, link',
      },
      async (db, { SLUG = '', email = '' }, config) => {
        const link = await inviteAgain(db, config, SLUG, readOption('--email', email, emailRule));
        return {
          text: handOnInvitation(link),
          json: { organization: SLUG, email: link.email, link: link.url },
        };
      },
    ),
    'user list': on(
      {
        does: 'list the users',
        usage: '[--organization SLUG]',
        explains: { '--organization': 'only its members' },
        example: '--organization skyline-towers',
        json: 'users[] { email, sign_in_name, is_proven, name, status, can_sign_in, organizations[], created_at }',
      },
      (db, { organization }) => listUsers(db, organization),
    ),
    'user create': on(
      {
        does: 'create a user with a proven address, who gets a link to set a password',
        usage: '--email E-MAIL --name NAME',
        explains: {
          '--email': 'the address with which the user will sign in',
          '--name': 'the display name',
        },
        example: "--email dev@vendor.example --name 'Dev Vendor'",
        json: linkShape,
      },
      async (db, { email = '', name = '' }, config) =>
        invite(
          await createUser(
            db,
            config,
            readOption('--email', email, emailRule),
            readOption('--name', name, nameRule),
          ),
        ),
    ),
    'user verify': on(
      {
        does: 'confirm that an e-mail address belongs to a user',
        usage: 'E-MAIL',
        explains: theUser,
        example: 'climber@skyline.example',
        notes:
          'The address becomes the sign-in name. Other accounts that have it unproven are closed.',
        json: 'email, is_proven',
      },
      async (db, values) => {
        const email = await verifyUser(db, values['E-MAIL'] ?? '');
        return {
          text: `${email} is proven: the user signs in with it.\n`,
          json: { email, is_proven: true },
        };
      },
    ),
    'user reset-password': on(
      {
        does: 'print a link with which a user sets a new password',
        usage: 'E-MAIL',
        explains: theUser,
        example: 'climber@skyline.example',
        json: linkShape,
      },
      async (db, values, config) => invite(await resetPassword(db, config, values['E-MAIL'] ?? '')),
    ),
    'user disable': setUser(
      { does: 'disable a user: tokens and sign-ins are refused' },
      'disabled',
      'is disabled: tokens are refused from now on, and sessions are ended.',
    ),
    'user enable': setUser(
      { does: 'enable a disabled user' },
      'active',
      'is active, and can sign in again.',
    ),
  };
}
