/** The one way to write what organizations own: stamped by the organization's clock, audited, in the transaction of the request. */
import type { EntityClass } from '@mikro-orm/core';
import { v7 as uuidv7 } from 'uuid';
import { Certification } from '../entities/certification.js';
import { AuditEvent } from '../entities/journal.js';
import { apply, type Stamped } from './apply.js';
import { tick, ticking } from './clock.js';
import type { Database } from './connection.js';
import { recordHistory, recording } from './history.js';
import { insertion } from './sets.js';

/** Who writes, for the audit. Null for the operator's command line. */
export interface Actor {
  readonly userId: string | null;
  readonly appId: string | null;
  readonly requestId: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** One row to insert, update or delete. Timestamps are set here. */
export interface Change {
  readonly organizationId: string;
  readonly entity: EntityClass<object>;
  /** The columns that find the row. For an insert they are part of the row. */
  readonly key: Row;
  /** What the row gets; left out to delete it. */
  readonly set?: Row;
  /** What the row had of `set`, or of everything for a delete; left out to insert. */
  readonly from?: Row;
  /** Why; goes into the audit, and into the history of a certification. */
  readonly reason?: string | null | undefined;
  /** For the history of a certification: the UTC day from which on it holds, when that is not the day of the stamp. */
  readonly effectiveOn?: string | null | undefined;
}

export type ChangeKind = 'create' | 'update' | 'delete';

const kindOf = ({ set, from }: Change): ChangeKind => (set === undefined ? 'delete' : from === undefined ? 'create' : 'update');

/**
 * Writes the changes, oldest stamp first, with the history of the certifications among them: each record once, a handful of statements whatever the
 * number of records, and a single one for a single change. Each row's `updatedAt` (and `createdAt`, when new) is its own stamp.
 * @param answer SQL to read from `written`: the rows of the last changes, of those that are alike.
 * @returns What it gives.
 */
export async function write<Row extends object>(tx: Database, actor: Actor, changes: readonly Change[], answer = 'select'): Promise<Row[]> {
  const [first] = changes;
  if (!first) return [];
  const isOne = changes.length === 1;
  const stamps = isOne ? [] : await stampsOf(tx, changes);
  const stamped = changes.map((change, index) => ({ ...change, kind: kindOf(change), stamp: stamps[index] }));
  const events = stamped.map((change) => toAuditEvent(actor, change));
  const certifications = changes
    .filter((change) => change.entity === Certification && change.set)
    .map((change) => ({ ...change, id: String(change.key.id) }));
  let isRecorded = certifications.length === 0;
  const rows = await apply<Row>(tx, stamped, (written, values, isAll) => {
    const records = !isRecorded && isAll && certifications.length === changes.length;
    isRecorded ||= records;
    const parts = [
      ...(isOne ? [`tick as (${ticking(first.organizationId, 1, values)})`] : []),
      `event as (${insertion(tx, AuditEvent, Object.keys(events[0] ?? {}), events, values, isOne ? ['occurredAt'] : [])})`,
      `written as (${written} returning t.*)`,
      ...(records ? [`version as (${recording(actor, certifications, values, 'written')})`] : []),
    ];
    return `with ${parts.join(', ')} ${answer}`;
  });
  if (!isRecorded) await recordHistory(tx, actor, certifications);
  return rows;
}

async function stampsOf(tx: Database, changes: readonly Change[]): Promise<string[]> {
  const stamps: string[] = [];
  for (const organizationId of [...new Set(changes.map((change) => change.organizationId))].sort()) {
    const mine = [...changes.keys()].filter((index) => changes[index]?.organizationId === organizationId);
    const ticks = await tick(tx, organizationId, mine.length);
    for (const [order, index] of mine.entries()) stamps[index] = ticks[order] ?? '';
  }
  return stamps;
}

function toAuditEvent(actor: Actor, { kind, entity, key, set, from = {}, organizationId, reason, stamp }: Stamped): Partial<AuditEvent> {
  const properties = Object.keys(set ?? from);
  return {
    ...actor,
    id: uuidv7(),
    organizationId,
    action: kind,
    subjectType: entity.name,
    subjectId: Object.entries(key)
      .filter(([name]) => name !== 'organizationId' || Object.keys(key).length === 1)
      .map(([, value]) => value)
      .join('/'),
    changes: {
      ...Object.fromEntries(properties.map((name) => [name, [from[name] ?? null, set?.[name] ?? null]])),
      ...(reason && { reason: [null, reason] }),
    },
    ...(stamp && { occurredAt: stamp }),
  };
}
