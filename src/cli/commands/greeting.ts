/** The start message of a development server: addresses, people, and sample calls. */
import { resolve } from 'node:path';
import { accessTokenLifetime } from '../../auth/tokens.js';
import { type Config, readConfig } from '../../config.js';
import { demoPassword, demoPeople } from '../../demo/people.js';
import type { DemoTraces } from '../../demo/traces.js';
import { issueAuditedToken } from '../operations/tokens.js';
import { withDatabase } from './database.js';

const pages = [
  ['Start page', '/', 'overview and guides'],
  ['Reference', '/docs', 'every REST call, and the guides'],
  ['Portal', '/portal', 'sign in, apps, approvals, audit'],
  ['Dashboard', '/dashboard', 'readiness of members'],
  ['GraphQL', '/graphql', 'in a browser: a page for trying queries'],
  ['REST', '/v1', ''],
  ['OpenAPI', '/v1/openapi.json', ''],
] as const;

const [firstPerson, firstApp] = ['manager@skyline.example', 'demo-dashboard'];

export async function greet(config: Config, url: string, demo: DemoTraces): Promise<void> {
  const base = config.BASE_URL;
  const places = pages.map(([name, path, what]) =>
    `  ${name.padEnd(10)} ${`${base}${path}`.padEnd(base.length + 17)} ${what}`.trimEnd(),
  );
  const sections = [`Lanyard is ready.`, places.join('\n')];
  if (demo.people > 0 && demo.apps.includes(firstApp))
    sections.push(...(await firstCalls(config, url)));
  else {
    sections.push(
      `There is no demo data here. ${command('lanyard --', config)} org create --name NAME --admin E-MAIL makes an organization.`,
    );
  }
  sections.push('Ctrl-C stops it.');
  process.stdout.write(`\n${sections.join('\n\n')}\n\n`);
}

async function firstCalls(config: Config, url: string): Promise<string[]> {
  const people = demoPeople.map(({ email, is }) => `  ${email.padEnd(24)} ${is}`);
  const token = command('token --', config);
  const call = (value: string) => `  curl -s ${config.BASE_URL}/v1/me -H ${value}`;
  // A token is issued only in the embedded database; nothing is written to a database of the user.
  const first = config.DATABASE_URL
    ? []
    : [
        `A first call (the token lives ${accessTokenLifetime / 60} minutes):\n\n${call(`'Authorization: Bearer ${await firstToken(config, url)}'`)}`,
      ];
  const where = config.DATABASE_URL
    ? 'in this folder, with the same DATABASE_URL'
    : 'in this folder';
  return [
    `Demo people, password "${demoPassword}":\n${people.join('\n')}`,
    ...first,
    `${first.length > 0 ? 'Another' : 'A'} token, from another terminal ${where}:\n\n  TOKEN=$(${token} --user ${firstPerson} --app ${firstApp})\n${call('"Authorization: Bearer $TOKEN"')}`,
  ];
}

const firstToken = (config: Config, url: string): Promise<string> =>
  withDatabase(url, config, (_, db) => issueAuditedToken(db, config, firstPerson, firstApp));

/** A command for another terminal, with the variables of this server that `.env` does not set. */
function command(script: string, config: Config): string {
  const usual = readConfig({});
  const settings = [
    config.BASE_URL !== usual.BASE_URL && `BASE_URL=${quote(config.BASE_URL)}`,
    !config.DATABASE_URL &&
      resolve(config.DATA_DIR) !== resolve(usual.DATA_DIR) &&
      `DATA_DIR=${quote(resolve(config.DATA_DIR))}`,
  ];
  return [...settings.filter(Boolean), `npm run --silent ${script}`].join(' ');
}

/** Quotes a word for a shell. */
const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
