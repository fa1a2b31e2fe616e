/** The operator's view of the audit: all events, including those outside of organizations. */
import type { Changes } from '../../auth/audit.js';
import type { Database } from '../../database/connection.js';
import { type ChangedProperty, changedProperties } from '../../rules/difference.js';
import { type CommandOutput, list } from '../output/command-output.js';
import { type Arguments, UsageError } from '../usage.js';
import { requireApp } from './apps.js';
import { requireOrganization } from './directory.js';
import { requireUser } from './people.js';

interface Event {
  readonly id: string;
  readonly occurred_at: string;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string;
  /** The slug; null outside of organizations. */
  readonly organization: string | null;
  /** The e-mail address of the actor; null for the operator, and after a failed sign-in. */
  readonly person: string | null;
  /** The client_id. */
  readonly app: string | null;
  /** Null for the operator. */
  readonly request_id: string | null;
  readonly changes: readonly ChangedProperty[];
}

const usual = 50;
const most = 1000;

/**
 * @throws {ApiError} `not_found` when the person, app or organization does not exist.
 * @throws {UsageError}
 */
export async function listAudit(
  db: Database,
  { person, app, organization, since, limit = String(usual) }: Arguments,
): Promise<CommandOutput> {
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > most)
    throw new UsageError(`--limit takes a whole number from 1 to ${most}.`);
  const from = since === undefined ? undefined : instantOf(since);
  const conditions: string[] = [];
  const values: unknown[] = [];
  const where = (value: unknown, condition: (place: string) => string) =>
    conditions.push(condition(`$${values.push(value)}`));
  if (person)
    where(
      (await requireUser(db, person)).id,
      (at) =>
        `(e.user_id = ${at}::uuid or (e.subject_type = 'User' and e.subject_id = ${at}::uuid::text))`,
    );
  if (app)
    where(
      (await requireApp(db, app)).id,
      (at) =>
        `(e.app_id = ${at}::uuid or (e.subject_type = 'App' and e.subject_id = ${at}::uuid::text))`,
    );
  if (organization)
    where((await requireOrganization(db, organization)).id, (at) => `e.organization_id = ${at}`);
  if (from) where(from, (at) => `e.occurred_at >= ${at}`);
  const stored = await db.query<Omit<Event, 'changes'> & { readonly changes: Changes }>(
    `select e.id, e.occurred_at, e.action, e.subject_type, e.subject_id, o.slug as organization, u.email as person, a.client_id as app, e.request_id, e.changes
     from audit_events e left join organizations o on o.id = e.organization_id left join users u on u.id = e.user_id left join apps a on a.id = e.app_id
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by e.occurred_at desc, e.id desc limit ${count}`,
    values,
  );
  const events = stored.map(
    ({ changes, ...event }): Event => ({ ...event, changes: changedProperties(changes) }),
  );
  return list('events', events, {
    AT: ({ occurred_at }) => occurred_at.slice(0, 19).concat('Z'),
    ACTION: ({ action }) => action,
    SUBJECT: ({ subject_type, subject_id }) => `${subject_type} ${subject_id}`,
    ORGANIZATION: (event) => event.organization,
    PERSON: (event) => event.person ?? (event.request_id ? null : 'operator'),
    APP: (event) => event.app,
    CHANGES: ({ changes }) =>
      changes.map(({ property, to }) => `${property}=${to ?? ''}`).join(' '),
  });
}

/** A day, or an instant with an offset. @throws {UsageError} */
function instantOf(text: string): string {
  const isForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (!isForm || Number.isNaN(Date.parse(text)))
    throw new UsageError('--since takes a day (2026-03-01) or an instant (2026-03-01T09:30:00Z).');
  return new Date(text).toISOString();
}
