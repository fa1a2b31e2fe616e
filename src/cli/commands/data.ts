/** Commands for the schema, the demo data and tokens. */
import { ensureKeys } from '../../auth/key-store.js';
import { distribute } from '../../database/distribution.js';
import { migrate } from '../../database/migrate.js';
import { portionAt, portionSize, portionsEach } from '../../demo/crew.js';
import { growDemo } from '../../demo/grow.js';
import { loadDemo } from '../../demo/load.js';
import { demoPassword } from '../../demo/people.js';
import { stopIfAsked } from '../interrupt.js';
import { issueAuditedToken, requireDevelopment } from '../operations/tokens.js';
import { type Command, UsageError } from '../usage.js';
import { databaseUrl, withDatabase } from './database.js';

export const migrateCommand: Command = {
  does: 'update the schema of the database',
  usage: '[--distributed]',
  explains: {
    '--distributed':
      'distribute the tables over a Citus cluster, by organization; DATABASE_URL names its coordinator',
  },
  notes:
    'Once distributed, a database stays so: the command then distributes the tables of later migrations without the option.',
  json: 'migrated[], distributed[]',
  async run({ config, values }) {
    const [migrated, distributed] = await withDatabase(
      await databaseUrl(config),
      config,
      async (orm, db) => {
        const names = await migrate(orm);
        const isWanted = values.distributed === 'true' || db.isDistributed;
        return [names, isWanted ? await distribute(orm) : []] as const;
      },
    );
    const schema =
      migrated.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${migrated.join(', ')}.\n`;
    const tables = distributed.length === 0 ? '' : `Distributed: ${distributed.join(', ')}.\n`;
    return { text: `${schema}${tables}`, json: { migrated, distributed } };
  },
};

/** 650,000 members: more than one machine handles well. */
const largestScale = 10_000;

export const demoCommand: Command = {
  does: 'load the demo data',
  usage: '[--scale N] [--force]',
  explains: {
    '--scale': `a multiple of the ${portionSize} usual members, with certifications; default: 1`,
    '--force':
      'load it in production, or into a database with other organizations: anyone can then sign in as a demo person',
  },
  example: '--scale 100',
  notes:
    'The password of demo people is public: the command refuses to run in production, and in a database with other organizations. When interrupted, it finishes the current portion and stops; run the same command again to continue.',
  json: 'loaded, scale, members_added, password',
  isLong: true,
  async run({ config, values, notify, signal }) {
    const scale = /^\d{1,6}$/.test(values.scale ?? '1') ? Number(values.scale ?? 1) : 0;
    if (scale < 1 || scale > largestScale)
      throw new UsageError(`--scale takes a whole number from 1 to ${largestScale}.`);
    const isForced = values.force === 'true';
    if (config.NODE_ENV === 'production' && !isForced)
      throw new UsageError(refusal('NODE_ENV is production'));
    return withDatabase(await databaseUrl(config), config, async (_, db) => {
      const outcome = await loadDemo(db, { besideOthers: isForced });
      if (outcome === 'occupied')
        throw new UsageError(refusal('this database has other organizations'));
      const loaded = outcome === 'loaded';
      const added = await growDemo(db, scale, (done, all) => {
        notify({
          doing: 'loading',
          done: done * portionSize,
          unit: 'members',
          fraction: done / all,
        });
        if (done < all)
          stopIfAsked(
            signal,
            () => `Stopped at ${done} of ${all} portions. Run the same command again to go on.`,
          );
      });
      const first = loaded
        ? `Loaded the demo data; the password is "${demoPassword}".\n`
        : 'The demo data is already there.\n';
      return {
        text:
          first +
          (scale > 1
            ? `Added ${added} members: the demo data is ${scale} times as large now. To see a larger organization, sign in with the password "${demoPassword}" as:\n${signIns(scale)}`
            : ''),
        json: { loaded, scale, members_added: added, password: demoPassword },
      };
    });
  },
};

/** Maximum number of organizations that are listed. */
const maxListed = 5;

/** The people to sign in as, for the first organizations of the larger set. */
function signIns(scale: number): string {
  const organizationCount = Math.ceil((scale - 1) / portionsEach);
  const lines = Array.from({ length: Math.min(maxListed, organizationCount) }, (_, index) =>
    portionAt(index * portionsEach),
  ).flatMap(({ organization, people }) =>
    ['admin', 'manager', 'member'].map(
      (role) =>
        `  ${people.find((person) => person.role === role && person.status === 'active')?.email ?? ''} (${role} of ${organization.slug})\n`,
    ),
  );
  const rest = organizationCount - maxListed;
  return lines.join('') + (rest > 0 ? `  … and likewise in ${rest} more organizations\n` : '');
}

const refusal = (reason: string): string =>
  `The demo data has people whose password is public, and ${reason}. Load it into a database of its own, or, if you mean it, add --force.`;

export const tokenCommand: Command = {
  does: 'print an access token, for development',
  usage: '--user E-MAIL --app CLIENT_ID [--scope SCOPES] [--force]',
  explains: {
    '--user': 'the user of the token',
    '--app': 'the client_id of the app',
    '--scope':
      'identity scopes (openid, profile, email), separated by spaces; default: profile email',
    '--force': 'print one in production, or with a BASE_URL of another machine',
  },
  notes: 'Each token is audited. BASE_URL must be that of the server, which verifies it.',
  example: '--user manager@skyline.example --app demo-dashboard',
  json: 'access_token',
  async run({ config, values: { user = '', app = '', scope, force } }) {
    requireDevelopment(config, force === 'true');
    const accessToken = await withDatabase(await databaseUrl(config), config, async (_, db) => {
      await ensureKeys(db, config);
      return issueAuditedToken(db, config, user, app, scope);
    });
    return { text: `${accessToken}\n`, json: { access_token: accessToken } };
  },
};
