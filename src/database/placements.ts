/** The places of tables on a Citus cluster, and what follows from them for statements. */
import { LRUCache } from 'lru-cache';
import type { Sql } from './wire/client.js';

/**
 * The place of each table: the coordinator, each node (`reference`), or the shard of a column. A
 * table never references one of a later kind.
 */
export const placements = {
  app_approvals: 'reference',
  app_secrets: 'coordinator',
  apps: 'reference',
  audit_events: { by: 'organization_id' },
  certification_history: { by: 'organization_id' },
  certification_types: 'reference',
  certifications: { by: 'organization_id' },
  change_listeners: 'coordinator',
  grants: 'coordinator',
  // The pair of caller and key is unique, in whichever organization it is used.
  idempotency_records: 'coordinator',
  invitations: 'coordinator',
  job_role_qualifications: 'reference',
  job_roles: 'reference',
  member_job_roles: { by: 'organization_id' },
  migrations: 'coordinator',
  oauth_artefacts: 'coordinator',
  one_time_links: 'coordinator',
  organization_clocks: { by: 'organization_id' },
  organization_members: 'reference',
  organizations: 'reference',
  passkey_challenges: 'coordinator',
  passkeys: 'coordinator',
  qualification_requirements: 'reference',
  qualifications: 'reference',
  reference_clocks: 'coordinator',
  revoked_tokens: 'coordinator',
  sign_in_attempts: 'coordinator',
  signing_keys: 'coordinator',
  unsettled_members: 'coordinator',
  users: 'reference',
  web_sessions: 'coordinator',
} as const satisfies Readonly<
  Record<string, 'coordinator' | 'reference' | { readonly by: string }>
>;

/**
 * In the order of their foreign keys. Tables of one column are co-located, so that an organization
 * has all of them on one node.
 */
export const referenceTables = [
  'users',
  'apps',
  'organizations',
  'app_approvals',
  'organization_members',
  'certification_types',
  'qualifications',
  'job_roles',
  'qualification_requirements',
  'job_role_qualifications',
] as const;

export const distributedTables = [
  'organization_clocks',
  'member_job_roles',
  'certifications',
  'certification_history',
  'audit_events',
] as const;

/** Whether rows of the table are copied to each node. */
export const isReference = (table: string): boolean =>
  (placements as Readonly<Record<string, unknown>>)[table] === 'reference';

/**
 * Tables without references that one transaction writes together with those of an organization:
 * Citus has to know them, to commit both or none.
 */
export const coordinatorTables = ['idempotency_records', 'reference_clocks'] as const;

/**
 * The organization of audit events without one, such as those of an account: the column that
 * distributes a table is never null.
 */
export const noOrganization = '00000000-0000-0000-0000-000000000000';

/** Takes `$2` stamps of the organization `$1`; `$3`: whether rows of reference tables get them. */
export const takingVersions = 'select take_versions($1::uuid, $2::int, $3::boolean) as at';

/**
 * Lets transactions that write or lock rows of reference tables run one after another. Citus locks
 * the whole table for an update, in an order of its own: two such transactions could wait for each
 * other.
 */
export const lockReferences: Sql = ['select pg_advisory_xact_lock($1::bigint)', [7_526_941]];

const names = `"?(${referenceTables.join('|')})\\b`;
const writing = new RegExp(`(insert into|update|delete from) ${names}`, 'i');
const locking = new RegExp(`(from|join) ${names}.* for (no key update|update|share)\\b`, 'is');

const known = new LRUCache<string, boolean>({ max: 1000 });

/** Whether a statement writes or locks rows of a reference table. */
export function usesReferences([text, values]: Sql): boolean {
  if (text === takingVersions) return values[2] === true;
  let uses = known.get(text);
  if (uses === undefined) {
    uses = writing.test(text) || locking.test(text);
    known.set(text, uses);
  }
  return uses;
}
