/** The commands with which an operator looks after organizations and users. */
import { type Link, lifetimeOf } from '../../auth/people/links.js';
import type { Answer } from '../answer.js';
import { listOrganizations, listUsers } from '../directory.js';
import { createOrganization, createUser, resetPassword, setUserStatus } from '../people.js';
import type { Call, Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

const invite = (link: Link): Answer => ({ text: handOn(link), json: { email: link.email, link: link.url } });

const handOn = ({ email, url, purpose }: Link): string =>
  `Hand this link to ${email}: whoever opens it sets the password. It works once, for ${lifetimeOf(purpose)}.\n\n  ${url}\n`;

const theUser = { 'E-MAIL': 'the address with which the user signs in' };
const linkShape = 'email, link';

export function directoryCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  const on = commandsOn(withDatabase);
  const setUser = (call: Call, status: 'active' | 'disabled', then: string): Command =>
    on(
      { ...call, usage: 'E-MAIL', explains: theUser, example: 'climber@skyline.example', json: 'email, status' },
      async (db, { 'E-MAIL': email = '' }) => {
        await setUserStatus(db, email, status);
        return { text: `${email} ${then}\n`, json: { email, status } };
      },
    );

  return {
    'org list': on(
      { does: 'list the organizations', json: 'organizations[] { slug, name, status, is_publisher, members, created_at }' },
      (db) => listOrganizations(db),
    ),
    'org create': on(
      {
        does: 'create an organization with its first admin, who gets a link to set a password',
        usage: '--name NAME --admin E-MAIL [--slug SLUG]',
        explains: {
          '--name': 'its name, as people read it',
          '--admin': 'the address of the first admin, who need not be a user yet',
          '--slug': 'its short name in addresses, of lower-case letters, digits and hyphens; default: made from the name',
        },
        example: "--name 'North Ridge Wireless' --admin ada@northridge.example",
        json: 'slug, admin, link',
      },
      async (db, { name = '', admin = '', slug }, config) => {
        const { slug: created, link } = await createOrganization(db, config, { name, admin, slug });
        return {
          text: `Created ${name} (${created}) with the admin ${admin}.\n${link ? handOn(link) : ''}`,
          json: { slug: created, admin, link: link?.url ?? null },
        };
      },
    ),
    'user list': on(
      {
        does: 'list the users',
        usage: '[--organization SLUG]',
        explains: { '--organization': 'only its members' },
        example: '--organization skyline-towers',
        json: 'users[] { email, name, status, can_sign_in, organizations[], created_at }',
      },
      (db, { organization }) => listUsers(db, organization),
    ),
    'user create': on(
      {
        does: 'create a user, who gets a link to set a password',
        usage: '--email E-MAIL --name NAME',
        explains: { '--email': 'the address with which the user will sign in', '--name': 'the name, as people read it' },
        example: "--email dev@vendor.example --name 'Dev Vendor'",
        json: linkShape,
      },
      async (db, { email = '', name = '' }, config) => invite(await createUser(db, config, email, name)),
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
      { does: 'refuse the tokens and sign-ins of a user' },
      'disabled',
      'is disabled: tokens are refused from now on, and sessions are ended.',
    ),
    'user enable': setUser({ does: 'let a disabled user in again' }, 'active', 'is active, and can sign in again.'),
  };
}
