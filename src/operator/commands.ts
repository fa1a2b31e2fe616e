/** The commands with which an operator looks after people, organizations and apps. */
import { dashboardClientId, enableDashboard } from '../auth/apps/dashboard.js';
import { setAppStatus, setFirstParty } from '../auth/apps/registry.js';
import { type Link, lifetimeOf } from '../auth/people/links.js';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { listApps, requireApp } from './apps.js';
import { createOrganization, createUser, operator, resetPassword } from './people.js';
import { purge, rotateSigningKeys } from './upkeep.js';
import type { Arguments, Command } from './usage.js';

/** Does something with the database of the configuration. */
type WithDatabase = <T>(config: Config, work: (db: Database) => Promise<T>) => Promise<T>;

const handOn = ({ email, url, purpose }: Link): string =>
  `Hand this link to ${email}: whoever opens it sets the password. It works once, for ${lifetimeOf(purpose)}.\n\n  ${url}\n`;

export function operatorCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  /** A command that prints what its work says. */
  const printing = (does: string, usage: string, work: (db: Database, values: Arguments, config: Config) => Promise<string>): Command => ({
    does,
    usage,
    run: async (config, values) => process.stdout.write(await withDatabase(config, (db) => work(db, values, config))),
  });
  const ofApp = (does: string, usage: string, work: (db: Database, appId: string, values: Arguments) => Promise<string>): Command =>
    printing(does, usage, async (db, values) => {
      const { id, name } = await requireApp(db, values.CLIENT_ID ?? '');
      return `${name} (${values.CLIENT_ID}) ${await work(db, id, values)}\n`;
    });

  return {
    'org create': printing(
      'create an organization with its first admin, who gets a link to set a password',
      '--name NAME --admin E-MAIL [--slug SLUG]',
      async (db, { name = '', admin = '', slug }, config) => {
        const { slug: created, link } = await createOrganization(db, config, { name, admin, slug });
        return `Created ${name} (${created}) with the admin ${admin}.\n${link ? handOn(link) : ''}`;
      },
    ),
    'user create': printing(
      'create a user, who gets a link to set a password',
      '--email E-MAIL --name NAME',
      async (db, { email = '', name = '' }, config) => handOn(await createUser(db, config, email, name)),
    ),
    'user reset-password': printing('print a link with which a user sets a new password', 'E-MAIL', async (db, values, config) =>
      handOn(await resetPassword(db, config, values['E-MAIL'] ?? '')),
    ),
    'apps list': printing('list the apps', '', (db) => listApps(db)),
    'apps disable': ofApp('refuse the tokens of an app, and sign-ins through it', 'CLIENT_ID', async (db, appId) => {
      await setAppStatus(db, operator, appId, 'disabled');
      return 'is disabled: its tokens are refused from now on.';
    }),
    'apps enable': ofApp('undo apps disable', 'CLIENT_ID', async (db, appId) => {
      await setAppStatus(db, operator, appId, 'active');
      return 'is active.';
    }),
    'apps first-party': ofApp(
      'let an app do without the approval of organizations, or no more',
      'CLIENT_ID [--off]',
      async (db, appId, { off }) => {
        await setFirstParty(db, operator, appId, !off);
        return off ? 'needs the approval of each organization.' : 'is first-party: it needs no approval.';
      },
    ),
    'dashboard enable': printing('let people sign in to the page /dashboard, at the BASE_URL of now', '', async (db, _, config) => {
      const isNew = await enableDashboard(db, operator, config);
      return `The dashboard ${isNew ? 'is' : 'was already'} enabled: ${config.BASE_URL}/dashboard, as the app ${dashboardClientId}.\n`;
    }),
    'keys rotate': printing('replace the signing keys, without a restart', '[--overlap SECONDS]', (db, { overlap }, config) =>
      rotateSigningKeys(db, config, overlap),
    ),
    purge: printing('delete what has expired (the server does so now and then)', '', (db) => purge(db)),
  };
}
