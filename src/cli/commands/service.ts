/** Commands for apps, signing keys and purging. */
import {
  dashboardApp,
  enableOwnApp,
  graphiqlApp,
  type OwnApp,
  referenceApp,
} from '../../auth/apps/own.js';
import { setAppStatus, setFirstParty } from '../../auth/apps/registry.js';
import { listApps, requireApp, showApp } from '../operations/apps.js';
import { listSigningKeys, purge, rotateSigningKeys } from '../operations/maintenance.js';
import { operator } from '../operations/people.js';
import type { Call, Command } from '../usage.js';
import { commandsOn, type WithDatabase } from './on.js';

const theApp = { CLIENT_ID: 'the client_id, as “lanyard apps list” shows it' };

export function serviceCommands(withDatabase: WithDatabase): Readonly<Record<string, Command>> {
  const on = commandsOn(withDatabase);
  const setApp = (call: Call, status: 'active' | 'disabled', then: string): Command =>
    on(
      {
        ...call,
        usage: 'CLIENT_ID',
        explains: theApp,
        example: 'demo-reader',
        json: 'client_id, status',
      },
      async (db, values) => {
        const { id, name, clientId } = await requireApp(db, values.CLIENT_ID ?? '');
        await setAppStatus(db, operator, id, status);
        return { text: `${name} (${clientId}) ${then}\n`, json: { client_id: clientId, status } };
      },
    );

  const enable = (app: OwnApp, name: string): Command =>
    on(
      {
        does: `let people sign in to ${name}, at the current BASE_URL`,
        json: 'client_id, url, is_new',
      },
      async (db, _, config) => {
        const isNew = await enableOwnApp(db, operator, config, app);
        const url = config.BASE_URL + app.path;
        const subject = name.charAt(0).toUpperCase() + name.slice(1);
        return {
          text: `${subject} ${isNew ? 'is' : 'was already'} enabled: ${url}, as the app ${app.clientId}.\n`,
          json: { client_id: app.clientId, url, is_new: isNew },
        };
      },
    );

  return {
    'apps list': on(
      {
        does: 'list the apps',
        json: 'apps[] { client_id, name, status, is_first_party, owner, grants }',
      },
      (db) => listApps(db),
    ),
    'apps show': on(
      {
        does: 'show an app and its approvals',
        usage: 'CLIENT_ID',
        explains: theApp,
        example: 'demo-sync',
        json: 'app { client_id, name, status, is_first_party, owner, grants, authentication, redirect_uris[], api_scopes[], secrets, created_at, approvals[] { organization, scopes[], approved_at } }',
      },
      (db, values) => showApp(db, values.CLIENT_ID ?? ''),
    ),
    'apps disable': setApp(
      { does: 'disable an app: its tokens and sign-ins through it are refused' },
      'disabled',
      'is disabled: its tokens are refused from now on.',
    ),
    'apps enable': setApp({ does: 'enable a disabled app' }, 'active', 'is active.'),
    'apps first-party': on(
      {
        does: 'let an app work without approvals by organizations, or end that',
        usage: 'CLIENT_ID [--off]',
        explains: { ...theApp, '--off': 'each organization must approve it again' },
        example: 'demo-reader',
        json: 'client_id, is_first_party',
      },
      async (db, { CLIENT_ID = '', off }) => {
        const { id, name, clientId } = await requireApp(db, CLIENT_ID);
        await setFirstParty(db, operator, id, !off);
        const then = off
          ? 'needs the approval of each organization.'
          : 'is first-party: it needs no approval.';
        return {
          text: `${name} (${clientId}) ${then}\n`,
          json: { client_id: clientId, is_first_party: !off },
        };
      },
    ),
    'dashboard enable': enable(dashboardApp, 'the dashboard'),
    'graphiql enable': enable(graphiqlApp, 'GraphiQL'),
    'reference enable': enable(referenceApp, 'the API reference, to try requests'),
    'keys list': on(
      {
        does: 'list the signing keys',
        json: 'keys[] { kid, purpose, algorithm, state, is_encrypted, signs_from, retires_at }',
      },
      (db) => listSigningKeys(db),
    ),
    'keys rotate': on(
      {
        does: 'replace the signing keys, without a restart',
        usage: '[--overlap SECONDS]',
        explains: {
          '--overlap': 'how long the new keys are published before they sign; default: 3600',
        },
        example: '--overlap 7200',
        json: 'signs_from',
      },
      (db, { overlap }, config) => rotateSigningKeys(db, config, overlap),
    ),
    purge: on(
      {
        does: 'delete expired data (servers also do this periodically)',
        json: 'purged[] { table, rows }',
      },
      (db) => purge(db),
    ),
  };
}
