/** The history of certification records: one row for each create and change, written with it and never changed. */
import type { Database } from './connection.js';
import type { Actor } from './journal.js';
import { type Add, Template } from './template.js';

/** A record that was just written. */
export interface Recorded {
  readonly organizationId: string;
  readonly id: string;
  /** The UTC day (`YYYY-MM-DD`) from which on the change of lifecycle or verification holds; left out: the day of the stamp. */
  readonly effectiveOn?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/** Records with who wrote them. */
export interface Recording {
  readonly actor: Actor;
  readonly records: readonly Recorded[];
}

/** The statement that adds a version of each of the records, as they are stored. The stamp of the record is the instant of its version, so this comes after the write itself. */
export function recording(add: Add<Recording>, written = 'certifications'): string {
  const given = [
    `${add(({ records }) => records.map(({ organizationId }) => organizationId))}::uuid[]`,
    `${add(({ records }) => records.map(({ id }) => id))}::uuid[]`,
    `${add(({ records }) => records.map(({ effectiveOn }) => effectiveOn ?? null))}::date[]`,
    `${add(({ records }) => records.map(({ reason }) => reason ?? null))}::text[]`,
  ];
  return versions(
    add,
    `unnest(${given.join(', ')}) as given (organization_id, id, effective_on, reason)
  join ${written} c on c.organization_id = given.organization_id and c.id = given.id`,
  );
}

/** As {@link recording}, of the one record that is in `written`, another part of the statement. */
export function recordingOne(add: Add<Recording>): string {
  const given = [`${add(({ records: [record] }) => record?.effectiveOn)}::date`, `${add(({ records: [record] }) => record?.reason)}::text`];
  return versions(add, `written c, (select ${given.join(', ')}) as given (effective_on, reason)`);
}

function versions(add: Add<Recording>, from: string): string {
  const by = [add(({ actor }) => actor.userId), add(({ actor }) => actor.appId), add(({ actor }) => actor.requestId)];
  return `insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id,
    certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method,
    reason, user_id, app_id, request_id)
  select c.organization_id, c.id, c.updated_at, coalesce(given.effective_on, (c.updated_at at time zone 'utc')::date), c.organization_member_id,
    c.certification_type_id, c.source, c.issued_on, c.expires_on, c.issuer_name, c.lifecycle_status, c.verification_status, c.verification_method,
    given.reason, ${by.join(', ')}
  from ${from}`;
}

const stored = new Template<Recording>((add) => recording(add));

/** Adds a version of each of the records, as it is stored now: once per record and transaction, in one statement for all. */
export async function recordHistory(tx: Database, given: Recording): Promise<void> {
  await tx.query(stored.text, stored.valuesFor(given));
}
