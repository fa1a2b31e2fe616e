/** Detects demo data in a database: its password and client secret are public. */
import { verifyPassword } from '../auth/password.js';
import { demoApps } from './apps.js';
import { demoId } from './ids.js';
import { organizations } from './organizations.js';
import { demoPassword } from './people.js';

/** Runs a statement on the database in question. */
export type Query = <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;

/** Slugs of organizations that the demo commands did not create. */
export async function foreignOrganizations(query: Query): Promise<string[]> {
  const all = await query<{ id: string; slug: string }>(
    'select id, slug from organizations order by slug',
  );
  return all.filter(({ id, slug }) => id !== demoId('organization', slug)).map(({ slug }) => slug);
}

/**
 * Addresses of demo people, including those of `lanyard demo --scale`. No real address matches:
 * `.example` is reserved (RFC 2606).
 */
const demoAddress = `@(${organizations.flatMap(({ domain }) => (domain ? [domain.replace('.', '\\.')] : [])).join('|')}|towers-[0-9]+\\.example)$`;

export interface DemoTraces {
  /** Accounts of demo people that are not disabled. */
  readonly people: number;
  /** The client_ids of demo apps that are not disabled. */
  readonly apps: readonly string[];
}

export async function findDemo(query: Query): Promise<DemoTraces> {
  const [found] = await query<DemoTraces>(
    `select (select count(*)::int from users where status = 'active' and email ~* $1) as people,
       array(select client_id from apps where status = 'active' and id = any($2::uuid[]) order by client_id) as apps`,
    [demoAddress, demoApps.map(({ clientId }) => demoId('app', clientId))],
  );
  return found ?? { people: 0, apps: [] };
}

export interface PublicPasswords {
  /** Sign-in names of the accounts that the demo password opens, with any address. */
  readonly emails: readonly string[];
  /** Number of accounts that were not checked for lack of time. */
  readonly unchecked: number;
}

/**
 * Finds the accounts that have the demo password. A hash takes about 20 ms of a core, so the time
 * is limited; admins and managers come first.
 * @param milliseconds Time after which no further hash is compared.
 */
export async function findPublicPasswords(
  query: Query,
  milliseconds: number,
): Promise<PublicPasswords> {
  const hashes = await query<{ hash: string; emails: string[] }>(
    `select u.password_hash as hash, array_agg(u.email order by u.email) as emails
     from users u where u.password_hash is not null and u.status = 'active' group by u.password_hash
     order by count(*) desc, bool_or(exists (
       select from organization_members m where m.user_id = u.id and m.role in ('admin', 'manager'))) desc`,
  );
  const until = performance.now() + milliseconds;
  const emails: string[] = [];
  for (const [index, { hash, emails: holders }] of hashes.entries()) {
    if (index > 0 && performance.now() > until) {
      const unchecked = hashes.slice(index).reduce((sum, rest) => sum + rest.emails.length, 0);
      return { emails, unchecked };
    }
    if (await verifyPassword(hash, demoPassword)) emails.push(...holders);
  }
  return { emails, unchecked: 0 };
}
