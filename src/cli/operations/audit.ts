/** The operator's view of the audit: all events, including those outside of organizations. */
import type { Database } from '../../database/connection.js';
import { changedProperties } from '../../rules/difference.js';
import { type CommandOutput, list } from '../output/command-output.js';
import { type Arguments, UsageError } from '../usage.js';
import { requireApp } from './apps.js';
import { requireOrganization } from './directory.js';
import { type Event, selectEvents } from './list-statements.js';
import { requireUser } from './people.js';

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
  const stored = await selectEvents(db, conditions, values, count);
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
