/**
 * Builds the statements that write changes: similar rows of one entity, with their audit events and
 * the versions of certifications. The rows are one JSON parameter, which the table's row type
 * parses. Changes of the same shape share one cached text; only the values differ.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import { AuditEvent } from '../entities/change-log.js';
import { MemberJobRole } from '../entities/member.js';
import { type Table, tableOf } from './columns.js';
import type { Database } from './connection.js';
import { ticking } from './version-clock.js';
import type { Sql } from './wire/client.js';

/** The author of a write, for the audit. Null ids stand for the operator's command line. */
export interface Actor {
  readonly userId: string | null;
  readonly appId: string | null;
  readonly requestId: string | null;
  /**
   * The basis of their right to write. Omitted where no token is needed: portal and command line.
   */
  readonly check?: Check | undefined;
  /** True: the write is prepared and checked, and then `Rehearsed` is thrown. */
  readonly isRehearsal?: boolean | undefined;
}

/**
 * A statement that returns one row while the caller may write in an organization, and none once
 * that has changed.
 */
export interface Check {
  /** A constant text. */
  readonly sql: string;
  readonly valuesFor: (organizationId: string) => readonly unknown[];
}

/** The caller's right to write has changed since the rules were checked. Nothing was written. */
export class CallerChanged extends Error {}

type Row = Readonly<Record<string, unknown>>;

/** A row that must exist for a change, and the values that the change takes from it. */
export interface Basis {
  /** The statement that reads it, a constant text that returns one row or none. */
  readonly sql: string;
  readonly values: readonly unknown[];
  /** SQL by property of the change: columns of `basis`. */
  readonly set: Readonly<Record<string, string>>;
}

/** One row to insert, update or delete. Timestamps are set by the statement. */
export interface Change {
  readonly organizationId: string;
  readonly entity: EntityClass<object>;
  /** The columns that identify the row. For an insert they are part of the row. */
  readonly key: Row;
  /** New values; omitted to delete the row. */
  readonly set?: Row;
  /** Old values of `set`, or of the whole row for a delete; omitted to insert. */
  readonly from?: Row;
  /** The basis of an insert that is the only change: without that row nothing is written. */
  readonly basis?: Basis;
  /** Reason for the audit, and for the history of a certification. */
  readonly reason?: string | null | undefined;
  /**
   * For the history of a certification: the UTC day from which the change is effective, if that is
   * not the day of the stamp.
   */
  readonly effectiveOn?: string | null | undefined;
}

export type ChangeKind = 'create' | 'update' | 'delete';

/** A change with its kind and its stamp. */
export interface StampedChange extends Change {
  readonly kind: ChangeKind;
  /** Omitted for a single change: the statement that writes it takes the stamp. */
  readonly stamp?: string | undefined;
}

/** Consecutive changes that one statement can write. */
export interface Batch {
  /** Equal for batches of the same kind, entity, key and creation properties. */
  readonly likeness: string;
  readonly changes: [StampedChange, ...StampedChange[]];
  /** Properties that are written, without the keys of an update and without stamps. */
  readonly properties: Set<string>;
}

/** A certification that was just written, for its history. */
export interface VersionedRecord {
  readonly organizationId: string;
  readonly id: string;
  /**
   * The UTC day (`YYYY-MM-DD`) from which the change of lifecycle or verification is effective;
   * default: the day of the stamp.
   */
  readonly effectiveOn?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Groups the changes, in order and each record once, into batches. Only neighbours share a
 * statement, and updates only when they set `isPrimary` alike or not at all: the old primary row
 * must lose the mark before the new one gets it.
 */
export function batchesOf(changes: readonly StampedChange[]): Batch[] {
  const batches: Batch[] = [];
  for (const change of changes) {
    const { kind, entity, key, set = {}, stamp } = change;
    // Omitted properties get defaults, so the creates of a batch omit the same ones.
    const shape = kind === 'create' ? Object.keys(set).join() : `isPrimary ${set.isPrimary}`;
    const likeness = `${kind} ${entity.name} ${Object.keys(key).join()} ${shape} ${stamp === undefined}`;
    let batch = batches.at(-1);
    if (batch?.likeness === likeness) batch.changes.push(change);
    else {
      const keys = kind === 'create' ? Object.keys(key) : [];
      batch = { likeness, changes: [change], properties: new Set(keys) };
      batches.push(batch);
    }
    for (const property in set) batch.properties.add(property);
  }
  return batches;
}

/**
 * The properties that hold the instant of a change. An assignment is created together with its row.
 */
export function stampedProperties({ kind, entity }: StampedChange): readonly string[] {
  if (kind === 'create')
    return entity === MemberJobRole
      ? ['createdAt', 'updatedAt', 'assignedAt']
      : ['createdAt', 'updatedAt'];
  return kind === 'update' ? ['updatedAt'] : [];
}

/** The parts that only the last statement of a write has. */
export interface Ending {
  /** Reads from `written`, the rows of the batch. */
  readonly reading: string;
  /** All changes of the write, for the audit. */
  readonly changes: readonly StampedChange[];
  /** Certifications that get a new version. */
  readonly versions: readonly VersionedRecord[];
}

/** A statement, and its text in a group commit, if it may take part. */
export interface ChangeStatement {
  readonly text: string;
  readonly groupText: string | undefined;
  readonly values: readonly unknown[];
}

/** A text, with the table whose columns name the properties of its rows. */
interface Text extends Omit<ChangeStatement, 'values'> {
  readonly table: Table;
}

/** Texts by all that they depend on, which includes the fields that clients select. */
const texts = new LRUCache<string, Text>({ max: 500 });

/** The statement that writes a batch; the last one of a write includes the ending. */
export function changeStatement(actor: Actor, batch: Batch, ending?: Ending): ChangeStatement {
  const { likeness, changes, properties } = batch;
  const [{ entity, organizationId, kind, stamp, basis }] = changes;
  const isSingle = stamp === undefined;
  const isVersioned = ending !== undefined && ending.versions.length > 0;
  const check = isSingle ? actor.check : undefined;
  const checked = check?.valuesFor(organizationId) ?? [];
  const written = kind === 'create' ? [...properties] : [...properties].sort();
  const id = `${likeness} ${written} ${isVersioned} ${ending?.reading} ${basis?.sql} ${check?.sql}`;
  let made = texts.get(id);
  if (!made) {
    const textWith = (onConflict: string) =>
      textOf(changes[0], written, ending, check && { ...check, count: checked.length }, onConflict);
    const canJoin = ending !== undefined && isSingle && kind === 'create';
    made = {
      text: textWith(''),
      groupText: canJoin ? textWith('on conflict do nothing') : undefined,
      table: tableOf(entity),
    };
    texts.set(id, made);
  }
  const { text, groupText, table } = made;
  // In the order in which textOf numbers the parameters.
  const values = isSingle ? [...(basis?.values ?? []), ...checked, organizationId] : [];
  values.push(rowsParameter(table, changes));
  if (ending) values.push(eventsParameter(actor, ending.changes));
  if (isVersioned) values.push(...versionValues(actor, ending.versions, isSingle));
  return { text, groupText, values };
}

/** Numbers the parameters of a text. */
class Parameters {
  private count = 0;

  next = (): string => `$${++this.count}`;

  /** Embeds the text of another statement, with its own parameters. */
  embed(sql: string, count: number): string {
    const before = this.count;
    this.count += count;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`);
  }
}

/** @param properties Those that are written, in order. */
function textOf(
  first: StampedChange,
  properties: readonly string[],
  ending: Ending | undefined,
  check: { readonly sql: string; readonly count: number } | undefined,
  onConflict: string,
): string {
  const parameters = new Parameters();
  if (!ending) return writing(first, properties, parameters.next());
  const isSingle = first.stamp === undefined;
  const parts: string[] = [];
  if (isSingle) {
    // If a required row is missing, there is no stamp, and nothing is written.
    const rests = [
      ...(first.basis
        ? [`basis as (${parameters.embed(first.basis.sql, first.basis.values.length)})`]
        : []),
      ...(check ? [`caller as (${parameters.embed(check.sql, check.count)})`] : []),
    ];
    const names = [...(first.basis ? ['basis'] : []), ...(check ? ['caller'] : [])];
    parts.push(
      ...rests,
      `tick as (${ticking(parameters.next(), '1', names, 'statement_timestamp()')})`,
    );
  }
  parts.push(
    `written as (${writing(first, properties, parameters.next())} ${onConflict} returning t.*)`,
  );
  parts.push(`event as (${auditing(first, parameters.next())})`);
  if (ending.versions.length > 0)
    parts.push(
      `version as (${isSingle ? versionOfWritten(parameters) : versioning(parameters, 'written')})`,
    );
  return `with ${parts.join(', ')} ${ending.reading}`;
}

export function columnOf({ name, columns }: Table, property: string): string {
  const column = columns[property];
  if (!column) throw new Error(`${name} has no column for ${property}.`);
  return column;
}

/**
 * The values that a single row takes from other parts of its statement. PostgreSQL then plans for
 * one row.
 */
interface SingleRow {
  /** The parts that it reads, by name. A part that reads from a writing part comes after it. */
  readonly parts: readonly string[];
  /** SQL by property. */
  readonly set: Readonly<Record<string, string>>;
}

/** The columns to set and the value of each: from the row (`own`), or from another part. */
function assigned(
  table: Table,
  properties: readonly string[],
  set: SingleRow['set'] = {},
): [columns: string, values: string] {
  const own = properties.map((property) => columnOf(table, property));
  const others = Object.keys(set).map((property) => columnOf(table, property));
  return [
    [...own, ...others].join(),
    [...own.map((column) => `own.${column}`), ...Object.values(set)].join(),
  ];
}

/** The source of a statement's rows, and the other parts that it reads. */
const populated = (
  { name }: Table,
  rows: string,
  alias: string,
  single: SingleRow | undefined,
): string =>
  `jsonb_populate_record${single ? '' : 'set'}(null::${name}, ${rows}::jsonb) as ${alias}${further(single)}`;

const further = (single: SingleRow | undefined): string =>
  (single?.parts ?? []).map((part) => `, ${part}`).join('');

/** The statement that writes changes like this one. @param rows The parameter with the rows. */
function writing(change: StampedChange, own: readonly string[], rows: string): string {
  const { kind, entity, key, stamp, basis } = change;
  const table = tableOf(entity);
  const stamps = stampedProperties(change);
  const single: SingleRow | undefined =
    stamp === undefined
      ? {
          parts: basis ? ['tick', 'basis'] : ['tick'],
          set: { ...Object.fromEntries(stamps.map((name) => [name, 'tick.at'])), ...basis?.set },
        }
      : undefined;
  const properties = single ? own : [...own, ...stamps];
  if (kind === 'create') return insertion(table, properties, rows, single);
  const sameKey = Object.keys(key)
    .map((property) => columnOf(table, property))
    .map((column) => `t.${column} = k.${column}`)
    .join(' and ');
  if (kind === 'delete')
    return `delete from ${table.name} t using ${populated(table, rows, 'k', single)} where ${sameKey}`;
  const [columns, values] = assigned(table, properties, single?.set);
  const all = single ? `(select ${rows}::jsonb)` : `jsonb_array_elements(${rows}::jsonb)`;
  // An omitted property keeps its value: the record is populated from the stored one.
  return `update ${table.name} t set (${columns}) = (select ${values} from jsonb_populate_record(t, given.row) as own)
     from ${all} as given (row), jsonb_populate_record(null::${table.name}, given.row) as k${further(single)}
     where ${sameKey}`;
}

function insertion(
  table: Table,
  properties: readonly string[],
  rows: string,
  single?: SingleRow,
): string {
  const [columns, values] = assigned(table, properties, single?.set);
  return `insert into ${table.name} as t (${columns}) select ${values} from ${populated(table, rows, 'own', single)}`;
}

/** Maximum number of rows whose values are parameters of their own: texts differ by the number. */
const maxListed = 20;

/** The statement that inserts rows with the same properties. */
export function insertionOf(table: Table, rows: readonly Row[]): Sql {
  const properties = Object.keys(rows[0] ?? {});
  const columns = properties.map((property) => columnOf(table, property)).join(', ');
  if (rows.length > maxListed)
    return [
      `insert into ${table.name} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table.name}, $1::jsonb)`,
      [toJson(table, rows, false)],
    ];
  const values: unknown[] = [];
  const listed = rows.map(
    (row) => `(${properties.map((property) => `$${values.push(row[property])}`).join(', ')})`,
  );
  return [`insert into ${table.name} (${columns}) values ${listed.join(', ')}`, values];
}

/** Inserts rows that all have these properties, in one statement. */
export async function insertRows(
  tx: Database,
  entity: EntityClass<object>,
  properties: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  const table = tableOf(entity);
  await tx.query(insertion(table, properties, '$1'), [toJson(table, rows, false)]);
}

function rowsParameter(table: Table, changes: Batch['changes']): string {
  const rows: Record<string, unknown>[] = [];
  for (const change of changes) {
    const { key, set, stamp } = change;
    const row: Record<string, unknown> = { ...key, ...set };
    if (stamp !== undefined) for (const name of stampedProperties(change)) row[name] = stamp;
    rows.push(row);
  }
  return toJson(table, rows, changes[0].stamp === undefined);
}

/**
 * Rows by column, or a single row, as a JSON parameter. Bytes are encoded as PostgreSQL's text for
 * `bytea`.
 */
export function toJson(table: Table, rows: readonly Row[], isSingle: boolean): string {
  const all: Record<string, unknown>[] = [];
  for (const row of rows) {
    const columns: Record<string, unknown> = {};
    for (const property in row) {
      const value = row[property];
      columns[columnOf(table, property)] =
        value instanceof Buffer ? `\\x${value.toString('hex')}` : value;
    }
    all.push(columns);
  }
  return JSON.stringify(isSingle ? all[0] : all);
}

export const auditTable = tableOf(AuditEvent);

/** Properties of an audit event, except the changes and the time. */
const eventProperties = [
  'id',
  'organizationId',
  'userId',
  'appId',
  'requestId',
  'action',
  'subjectType',
  'subjectId',
];

/**
 * The statement that adds the audit events of changes like this one. Values that a single change
 * takes from its basis are part of the audited changes. Without a row in `written` there is no
 * event.
 */
function auditing({ stamp, basis }: StampedChange, events: string): string {
  if (stamp !== undefined)
    return insertion(auditTable, [...eventProperties, 'changes', 'occurredAt'], events);
  const taken = Object.entries(basis?.set ?? {}).map(
    ([name, sql]) => `jsonb_build_object('${name}', jsonb_build_array(null, ${sql}))`,
  );
  return insertion(auditTable, eventProperties, events, {
    parts: [...(basis ? ['tick', 'basis'] : ['tick']), 'written'],
    set: { occurredAt: 'tick.at', changes: ['own.changes', ...taken].join(' || ') },
  });
}

const eventsParameter = (actor: Actor, changes: readonly StampedChange[]): string =>
  toJson(auditTable, auditRows(actor, changes), changes[0]?.stamp === undefined);

/** The audit events of changes. */
export function auditRows(
  { userId, appId, requestId }: Actor,
  changes: readonly StampedChange[],
): Row[] {
  const events: Row[] = [];
  for (const { kind, entity, key, set, from = {}, organizationId, reason, stamp } of changes) {
    const changed: Record<string, readonly [before: unknown, after: unknown]> = {};
    for (const name in set ?? from) changed[name] = [from[name] ?? null, set?.[name] ?? null];
    if (reason) changed.reason = [null, reason];
    const { organizationId: _, ...rest } = key;
    const ids = Object.keys(key).length === 1 ? key : rest;
    events.push({
      userId,
      appId,
      requestId,
      id: randomUUIDv7(),
      organizationId,
      action: kind,
      subjectType: entity.name,
      subjectId: Object.values(ids).join('/'),
      changes: changed,
      ...(stamp !== undefined && { occurredAt: stamp }),
    });
  }
  return events;
}

/**
 * The statement that adds a version of each certification as stored now. Send it once per record
 * and transaction, after the write.
 */
export const historyOf = (actor: Actor, records: readonly VersionedRecord[]): Sql => [
  versioningStored,
  versionValues(actor, records, false),
];

/**
 * The statement that adds a version of each record. The instant of a version is the stamp of the
 * record, so the write comes first.
 * @param written The source of the records.
 */
function versioning(parameters: Parameters, written = 'certifications'): string {
  const given = ['uuid[]', 'uuid[]', 'date[]', 'text[]'].map(
    (type) => `${parameters.next()}::${type}`,
  );
  return versionsFrom(
    givenWith(parameters),
    `unnest(${given.join(', ')}) as given (organization_id, id, effective_on, reason)
  join ${written} c on c.organization_id = given.organization_id and c.id = given.id`,
  );
}

/** Day and reason from `given`, and parameters for the actor. */
const givenWith = ({ next }: Parameters) =>
  ['given.effective_on', 'given.reason', next(), next(), next()] as const;

/** Like {@link versioning}, for the single record in `written`. */
function versionOfWritten(parameters: Parameters): string {
  const given = ['date', 'text'].map((type) => `${parameters.next()}::${type}`);
  return versionsFrom(
    givenWith(parameters),
    `written c, (select ${given.join(', ')}) as given (effective_on, reason)`,
  );
}

/**
 * @param given SQL of the day, the reason, the person, the app and the request.
 * @param from The source of the records `c`.
 */
export function versionsFrom(
  [effectiveOn, reason, userId, appId, requestId]: readonly [
    string,
    string,
    string,
    string,
    string,
  ],
  from: string,
): string {
  return `insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id,
    certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method,
    reason, user_id, app_id, request_id)
  select c.organization_id, c.id, c.updated_at, coalesce(${effectiveOn}, (c.updated_at at time zone 'utc')::date), c.organization_member_id,
    c.certification_type_id, c.source, c.issued_on, c.expires_on, c.issuer_name, c.lifecycle_status, c.verification_status, c.verification_method,
    ${reason}, ${userId}, ${appId}, ${requestId}
  from ${from}`;
}

const versioningStored = versioning(new Parameters());

function versionValues(
  { userId, appId, requestId }: Actor,
  records: readonly VersionedRecord[],
  isSingle: boolean,
): unknown[] {
  const [record] = records;
  const given = isSingle
    ? [record?.effectiveOn, record?.reason]
    : [
        records.map(({ organizationId }) => organizationId),
        records.map(({ id }) => id),
        records.map(({ effectiveOn }) => effectiveOn ?? null),
        records.map(({ reason }) => reason ?? null),
      ];
  return [...given, userId, appId, requestId];
}
