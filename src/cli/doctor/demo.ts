/** Finds demo data: its people, its apps, and its public password. */
import { type Config, isLoopback } from '../../config.js';
import type { Client } from '../../database/wire/client.js';
import { findDemo, findPublicPasswords, type Query } from '../../demo/traces.js';
import { type Finding, failure, ok, orOk } from './finding.js';

const check = 'demo data';

/** Milliseconds for comparing passwords. */
const passwordTimeoutMs = 10_000;
/** Maximum number of listed addresses. */
const maxNamed = 5;

export async function checkDemo(client: Client, config: Config): Promise<readonly Finding[]> {
  const query: Query = async (sql, values) => (await client.query(sql, values)).rows;
  const { people, apps } = await findDemo(query);
  const isPrivate = config.NODE_ENV !== 'production' && isLoopback(config.HOST);
  if (isPrivate)
    return [ok(check, people > 0 ? `${people} demo people, for this machine alone` : 'none')];
  const { emails, unchecked } = await findPublicPasswords(query, passwordTimeoutMs);
  const named =
    emails.length > maxNamed
      ? `${emails.slice(0, maxNamed).join(', ')} and ${emails.length - maxNamed} more`
      : emails.join(', ');
  const problems = [
    people > 0 &&
      failure(
        check,
        `${people} demo people have accounts here`,
        'Move to a database without demo data; until then “lanyard user disable E-MAIL” for each that “lanyard user list” shows.',
      ),
    apps.length > 0 &&
      failure(
        check,
        `the demo apps ${apps.join(', ')} are active, and the secret of demo-sync is public`,
        `${apps.map((app) => `lanyard apps disable ${app}`).join('; ')}.`,
      ),
    emails.length > 0 &&
      failure(
        check,
        `the public demo password opens ${emails.length} accounts: ${named}`,
        '“lanyard user disable E-MAIL” for each, or “lanyard user reset-password E-MAIL”, and use the link.',
      ),
  ];
  const rest =
    unchecked > 0
      ? `; ${unchecked} passwords were not compared within ${passwordTimeoutMs / 1000} s`
      : '';
  return orOk(
    problems.filter((problem) => problem !== false),
    check,
    `no demo people, apps or passwords${rest}`,
  );
}
