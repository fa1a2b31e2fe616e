/** The commands with which an operator looks after apps, signing keys and what has expired. */
import { dashboardClientId, enableDashboard } from '../../auth/apps/dashboard.js';
import { setAppStatus, setFirstParty } from '../../auth/apps/registry.js';
import { listApps, requireApp, showApp } from '../apps.js';
import { operator } from '../people.js';
import { listSigningKeys, purge, rotateSigningKeys } from '../upkeep.js';
import type { Call, Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

const theApp = { CLIENT_ID: 'the client_id, as “lanyard apps list” shows it' };

export function serviceCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  const on = commandsOn(withDatabase);
  const setApp = (call: Call, status: 'active' | 'disabled', then: string): Command =>
    on({ ...call, usage: 'CLIENT_ID', explains: theApp, example: 'demo-reader', json: 'client_id, status' }, async (db, values) => {
      const { id, name, clientId } = await requireApp(db, values.CLIENT_ID ?? '');
      await setAppStatus(db, operator, id, status);
      return { text: `${name} (${clientId}) ${then}\n`, json: { client_id: clientId, status } };
    });

  return {
    'apps list': on({ does: 'list the apps', json: 'apps[] { client_id, name, status, is_first_party, owner, grants }' }, (db) =>
      listApps(db),
    ),
    'apps show': on(
      {
        does: 'show an app, and what organizations let it do',
        usage: 'CLIENT_ID',
        explains: theApp,
        example: 'demo-sync',
        json: 'app { client_id, name, status, is_first_party, owner, grants, authentication, redirect_uris[], api_scopes[], secrets, created_at, approvals[] { organization, scopes[], approved_at } }',
      },
      (db, values) => showApp(db, values.CLIENT_ID ?? ''),
    ),
    'apps disable': setApp(
      { does: 'refuse the tokens of an app, and sign-ins through it' },
      'disabled',
      'is disabled: its tokens are refused from now on.',
    ),
    'apps enable': setApp({ does: 'let a disabled app work again' }, 'active', 'is active.'),
    'apps first-party': on(
      {
        does: 'let an app work without the approval of organizations, or end that',
        usage: 'CLIENT_ID [--off]',
        explains: { ...theApp, '--off': 'each organization has to approve it again' },
        example: 'demo-reader',
        json: 'client_id, is_first_party',
      },
      async (db, { CLIENT_ID = '', off }) => {
        const { id, name, clientId } = await requireApp(db, CLIENT_ID);
        await setFirstParty(db, operator, id, !off);
        const then = off ? 'needs the approval of each organization.' : 'is first-party: it needs no approval.';
        return { text: `${name} (${clientId}) ${then}\n`, json: { client_id: clientId, is_first_party: !off } };
      },
    ),
    'dashboard enable': on(
      { does: 'let people sign in to the dashboard, under the present BASE_URL', json: 'client_id, url, is_new' },
      async (db, _, config) => {
        const isNew = await enableDashboard(db, operator, config);
        const url = `${config.BASE_URL}/dashboard`;
        return {
          text: `The dashboard ${isNew ? 'is' : 'was already'} enabled: ${url}, as the app ${dashboardClientId}.\n`,
          json: { client_id: dashboardClientId, url, is_new: isNew },
        };
      },
    ),
    'keys list': on(
      { does: 'list the signing keys', json: 'keys[] { kid, purpose, algorithm, state, is_encrypted, signs_from, retires_at }' },
      (db) => listSigningKeys(db),
    ),
    'keys rotate': on(
      {
        does: 'replace the signing keys, without a restart',
        usage: '[--overlap SECONDS]',
        explains: { '--overlap': 'how long the new keys are published before they sign; default: 3600' },
        example: '--overlap 7200',
        json: 'signs_from',
      },
      (db, { overlap }, config) => rotateSigningKeys(db, config, overlap),
    ),
    purge: on({ does: 'delete what has expired (servers also do this from time to time)', json: 'purged[] { table, rows }' }, (db) =>
      purge(db),
    ),
  };
}
