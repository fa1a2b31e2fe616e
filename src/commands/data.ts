/** The commands about the schema, the demo data and tokens. */
import { ensureKeys } from '../auth/key-store.js';
import { issueToken } from '../auth/tokens.js';
import { portionSize } from '../database/demo/crew.js';
import { growDemo } from '../database/demo/grow.js';
import { loadDemo } from '../database/demo/load.js';
import { demoPassword } from '../database/demo/people.js';
import { migrate } from '../database/migrate.js';
import { stopIfAsked } from '../operator/interrupt.js';
import { type Command, UsageError } from '../operator/usage.js';
import { databaseUrl, withDatabase } from './database.js';

export const migrateCommand: Command = {
  does: 'update the schema of the database',
  json: 'migrated[]',
  async run({ config }) {
    const migrated = await withDatabase(await databaseUrl(config), config, (orm) => migrate(orm));
    return {
      text: migrated.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${migrated.join(', ')}.\n`,
      json: { migrated },
    };
  },
};

/** 650,000 members: more than one machine shows well. */
const largestScale = 10_000;

export const demoCommand: Command = {
  does: 'load the demo data',
  usage: '[--scale N]',
  explains: { '--scale': `how many times the usual members (${portionSize} each time), with certifications; default: 1` },
  example: '--scale 100',
  notes: 'When interrupted, it finishes the current portion and stops; run the same command again to continue.',
  json: 'loaded, scale, members_added, password',
  isLong: true,
  async run({ config, values, tell, signal }) {
    const scale = /^\d{1,6}$/.test(values.scale ?? '1') ? Number(values.scale ?? 1) : 0;
    if (scale < 1 || scale > largestScale) throw new UsageError(`--scale takes a whole number from 1 to ${largestScale}.`);
    return withDatabase(await databaseUrl(config), config, async (_, db) => {
      const loaded = (await loadDemo(db)) === 'loaded';
      const added = await growDemo(db, scale, (done, all) => {
        tell({ doing: 'loading', done: done * portionSize, unit: 'members', fraction: done / all });
        if (done < all) stopIfAsked(signal, () => `Stopped at ${done} of ${all} portions. Run the same command again to go on.`);
      });
      const first = loaded ? `Loaded the demo data; the password is "${demoPassword}".\n` : 'The demo data is already there.\n';
      return {
        text: first + (scale > 1 ? `Added ${added} members: the demo data is ${scale} times as large now.\n` : ''),
        json: { loaded, scale, members_added: added, password: demoPassword },
      };
    });
  },
};

/** For demo and development databases alone: in production people sign in. */
export const tokenCommand: Command = {
  does: 'print an access token, for demo and development',
  usage: '--user E-MAIL --app CLIENT_ID [--scope SCOPES]',
  explains: {
    '--user': 'whose token it is',
    '--app': 'the client_id of the app that it is for',
    '--scope': 'identity scopes, separated by spaces; default: profile email',
  },
  example: '--user manager@skyline.example --app demo-dashboard',
  json: 'access_token',
  async run({ config, values: { user = '', app = '', scope } }) {
    if (config.NODE_ENV === 'production') throw new UsageError('The token command is for demo and development: NODE_ENV is production.');
    const accessToken = await withDatabase(await databaseUrl(config), config, async (_, db) => {
      await ensureKeys(db, config);
      return issueToken(db, config, user, app, scope);
    });
    return { text: `${accessToken}\n`, json: { access_token: accessToken } };
  },
};
