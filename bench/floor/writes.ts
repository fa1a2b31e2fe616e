/**
 * The writes: in one transaction the key, the clock's tick, the rows, their history and the audit.
 */
import { createHash, randomUUIDv7 } from 'node:crypto';
import { type Caller, managed, Refused } from './caller.js';
import { type Query, transaction } from './database.js';
import { type Row, toRecord } from './records.js';

/** Takes one or more stamps of an organization: the last of them, in microseconds since 1970. */
const tickStatement = `
  insert into organization_clocks as clock (organization_id, ticked_at)
  values ($1, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond')
  on conflict (organization_id) do update set ticked_at =
    greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + ($2::int - 1) * interval '1 microsecond'
  returning ticked_at as at, case when exists (select from change_listeners where organization_id = $1 and expires_at > now())
    then pg_notify('lanyard_ticks', $1::text) end`;

export async function tick(tx: Query, organizationId: string, count: number): Promise<string> {
  const [row] = await tx<{ at: string }>(tickStatement, [organizationId, count]);
  return row?.at ?? '';
}

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Key {
  readonly key: string;
  readonly path: string;
  readonly raw: Buffer;
}

/** @returns The stored answer, when the key was used before. */
async function claim(
  tx: Query,
  { appId, userId }: Caller,
  { key, path, raw }: Key,
): Promise<Answer | undefined> {
  const fingerprint = createHash('sha256').update(`POST ${path}\n`).update(raw).digest('base64url');
  const taken = await tx(
    `with free as materialized (select pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text || ' ' || $3, 0)) as is_free)
     insert into idempotency_records as r (app_id, user_id, key, fingerprint, expires_at)
     select $1::uuid, $2::uuid, $3, $4, clock_timestamp() + interval '24 hours' from free where is_free
     on conflict (app_id, user_id, key) do nothing returning 1`,
    [appId, userId, key, fingerprint],
  );
  if (taken.length > 0) return undefined;
  const [stored] = await tx<Answer & { fingerprint: string }>(
    'select fingerprint, status, body from idempotency_records where app_id = $1 and user_id = $2 and key = $3',
    [appId, userId, key],
  );
  if (stored?.fingerprint !== fingerprint) throw new Refused(stored ? 409 : 503);
  return stored;
}

interface CertificationInput {
  readonly organization_member_id: string;
  readonly certification_type_id: string;
  readonly issued_on: string;
  readonly expires_on: string;
  readonly issuer_name: string;
}

/**
 * The record, its first version and the audit, in one statement that returns the record with its
 * type.
 */
const createStatement = `
  with made as (
    insert into certifications (organization_id, id, organization_member_id, user_id, certification_type_id, source, issued_on, expires_on, issuer_name,
      created_at, updated_at) values ($1, $2, $3, $4, $5, 'api', $6, $7, $8, $9, $9) returning *),
  version as (
    insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source,
      issued_on, expires_on, issuer_name, lifecycle_status, verification_status, user_id, app_id, request_id)
    select organization_id, id, updated_at, (updated_at at time zone 'utc')::date, organization_member_id, certification_type_id, source, issued_on,
      expires_on, issuer_name, lifecycle_status, verification_status, $10, $11, $12 from made),
  event as (
    insert into audit_events (id, organization_id, user_id, app_id, action, subject_type, subject_id, changes, request_id, occurred_at)
    values ($13, $1, $10, $11, 'create', 'Certification', $2::text, $14, $12, $9))
  select made.*, t.slug as type_slug, t.title as type_title, t.status as type_status from made join certification_types t on t.id = $5`;

export async function createRecord(
  caller: Caller,
  organizationId: string,
  input: CertificationInput,
  requestId: string,
  key?: Key,
): Promise<Answer> {
  managed(caller, organizationId, 'certification_records:write');
  return transaction(async (tx) => {
    const replay = key && (await claim(tx, caller, key));
    if (replay) return replay;
    const { organization_member_id, certification_type_id, issued_on, expires_on, issuer_name } =
      input;
    const [usable] = await tx<{ user: string | null; type: string | null }>(
      `select (select user_id from organization_members where organization_id = $1 and id = $2) as user,
         (select status from certification_types where id = $3 and (organization_id = $1 or scope = 'standard')) as type`,
      [organizationId, organization_member_id, certification_type_id],
    );
    if (!usable?.user || usable.type !== 'active') throw new Refused(422);
    const stamp = await tick(tx, organizationId, 1);
    const changes = Object.fromEntries(
      Object.entries({ ...input, source: 'api', userId: usable.user }).map(([name, value]) => [
        name,
        [null, value],
      ]),
    );
    const [row] = await tx<Row>(createStatement, [
      ...[
        organizationId,
        randomUUIDv7(),
        organization_member_id,
        usable.user,
        certification_type_id,
        issued_on,
        expires_on,
        issuer_name,
        stamp,
      ],
      ...[caller.userId, caller.appId, requestId, randomUUIDv7(), JSON.stringify(changes)],
    ]);
    const answer = { status: 201, body: JSON.stringify({ data: row && toRecord(row) }) };
    if (key) {
      const stored =
        'update idempotency_records set status = $4, headers = $5, body = $6 where app_id = $1 and user_id = $2 and key = $3';
      await tx(stored, [
        caller.appId,
        caller.userId,
        key.key,
        answer.status,
        '{"Content-Type":"application/json; charset=utf-8"}',
        answer.body,
      ]);
    }
    return answer;
  });
}
