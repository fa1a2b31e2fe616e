/** SQL of the audit pages: unions and joins that MikroORM's builder cannot express. */
import type { Database } from '../database/connection.js';
import { noOrganization } from '../database/placements.js';

/** Property → [before, after]. Never contains a secret. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

export interface AuditEntry {
  readonly id: string;
  readonly occurredAt: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** The name of the app or person that the event is about, if it still exists. */
  readonly subjectName: string | null;
  readonly changes: Changes;
  /**
   * Null when no person is known as the actor: then the app was or, where that is null too, an
   * unknown client in a request, or the operator without one.
   */
  readonly by: string | null;
  /** The app that was used; null for the portal and the command line. */
  readonly through: string | null;
  /** Identifies the log line; null for the command line. */
  readonly requestId: string | null;
  readonly organization: string | null;
}

/** Events per page. */
export const auditPageSize = 50;

/** Events of one app in all organizations, of one organization, or of one person's account. */
export type About =
  | { readonly appId: string }
  | { readonly organizationId: string }
  | { readonly userId: string };

/**
 * Events of a person: changes of the account, and the person's actions outside of organizations.
 * Each index leads with the organization.
 */
const ofPerson = (further: string): string => {
  const order = `order by e.occurred_at desc, e.id desc limit ${auditPageSize}`;
  const account = `e.subject_type = 'User' and e.subject_id = $1::uuid::text ${further}`;
  return `(
    (select e.* from audit_events e where e.organization_id is null and ${account} ${order})
    union (select e.* from audit_events e where e.organization_id is null and e.user_id = $1 ${further} ${order})
    union (select e.* from organization_members m, lateral (
      select e.* from audit_events e where e.organization_id = m.organization_id and ${account} ${order}
    ) e where m.user_id = $1)
  ) e where true`;
};

function sourceOf(about: About, further: string): readonly [sql: string, id: string] {
  if ('userId' in about) return [ofPerson(further), about.userId];
  const [condition, id] =
    'appId' in about
      ? [`e.subject_type = 'App' and e.subject_id = $1`, about.appId]
      : ['e.organization_id = $1', about.organizationId];
  return [`audit_events e where ${condition} ${further}`, id];
}

/**
 * One page of audit events, newest first.
 * @param before The id of the last event of the previous page.
 */
export async function auditOf(db: Database, about: About, before?: string): Promise<AuditEntry[]> {
  if (db.isDistributed) return distributedAuditOf(db, about, before);
  const [source, id] = sourceOf(
    about,
    before
      ? 'and (e.occurred_at, e.id) < (select occurred_at, id from audit_events where id = $2)'
      : '',
  );
  return db.query<AuditEntry>(pageOf(source), before ? [id, before] : [id]);
}

const pageOf = (source: string): string => `
  select e.id, e.occurred_at as "occurredAt", e.action, e.subject_type as "subjectType", e.subject_id as "subjectId", e.changes, e.request_id as "requestId",
    coalesce(subject.name, person.display_name, member.display_name) as "subjectName",
    coalesce(nullif(u.display_name, ''), u.email) as by, a.name as through, o.name as organization
  from (select e.* from ${source} order by e.occurred_at desc, e.id desc limit ${auditPageSize}) e
  left join users u on u.id = e.user_id
  left join apps a on a.id = e.app_id
  left join organizations o on o.id = e.organization_id
  left join apps subject on subject.id = case when e.subject_type = 'App' then e.subject_id::uuid end
  left join users person on person.id = case when e.subject_type = 'User' then e.subject_id::uuid end
  left join organization_members member on member.organization_id = e.organization_id
    and member.id = case when e.subject_type in ('OrganizationMember', 'Invitation') then e.subject_id::uuid end
  order by e.occurred_at desc, e.id desc`;

/**
 * {@link auditOf} on a cluster: one statement for each organization, merged here, since each has
 * its node. Events of an app are on all of them.
 */
async function distributedAuditOf(
  db: Database,
  about: About,
  before: string | undefined,
): Promise<AuditEntry[]> {
  const pages: AuditEntry[] = [];
  const sources = await sourcesOf(db, about);
  const last = before && (await lastOf(db, sources, before));
  if (before && !last) return [];
  for (const [condition, ...values] of sources) {
    const earlier = last
      ? `and (e.occurred_at, e.id) < ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid)`
      : '';
    const source = `audit_events e where ${condition} ${earlier}`;
    pages.push(
      ...(await db.query<AuditEntry>(pageOf(source), [...values, ...(last ? [last, before] : [])])),
    );
  }
  const isNewer = (one: AuditEntry, other: AuditEntry) =>
    one.occurredAt === other.occurredAt ? one.id > other.id : one.occurredAt > other.occurredAt;
  return pages.sort((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, auditPageSize);
}

/** A condition on the event `e`, and its values. */
type Source = readonly [condition: string, ...values: string[]];

async function sourcesOf(db: Database, about: About): Promise<Source[]> {
  if ('organizationId' in about) return [['e.organization_id = $1', about.organizationId]];
  if ('appId' in about) return [[`e.subject_type = 'App' and e.subject_id = $1`, about.appId]];
  const { userId } = about;
  const organizations = await db.query<{ id: string }>(
    'select organization_id as id from organization_members where user_id = $1',
    [userId],
  );
  const account = `e.organization_id = $1 and e.subject_type = 'User' and e.subject_id = $2`;
  return [
    [account, noOrganization, userId],
    [
      `e.organization_id = $1 and e.user_id = $2::uuid and not (e.subject_type = 'User' and e.subject_id = $2::text)`,
      noOrganization,
      userId,
    ],
    ...organizations.map(({ id }): Source => [account, id, userId]),
  ];
}

/** The time of an event of the sources. */
async function lastOf(
  db: Database,
  sources: readonly Source[],
  id: string,
): Promise<string | undefined> {
  for (const [condition, ...values] of sources) {
    const [found] = await db.query<{ at: string }>(
      `select e.occurred_at as at from audit_events e where ${condition} and e.id = $${values.length + 1}`,
      [...values, id],
    );
    if (found) return found.at;
  }
  return undefined;
}
