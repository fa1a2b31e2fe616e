/** The audit of changes: who changed what of which record, and when. */
import { randomUUIDv7 } from 'node:crypto';
import { AuditEvent } from '../entities/journal.js';
import type { Database } from './connection.js';
import type { Actor } from './journal.js';
import { loneOf, type Stamped } from './runs.js';
import { insertion, toJson } from './sets.js';

/**
 * The statement that adds the events of changes like this one. What a lone change takes from its basis is among what it changed; where nothing was
 * `written`, another part of its statement, there is no event.
 * @param events The value in the text that has them, of {@link eventsOf}.
 */
export function auditing(tx: Database, { stamp, basis }: Stamped, events: string): string {
  if (stamp !== undefined) return insertion(tx, AuditEvent, [...properties, 'changes', 'occurredAt'], events);
  const { parts, set } = loneOf(['occurredAt'], basis && { ...basis, set: {} });
  const taken = Object.entries(basis?.set ?? {}).map(([name, sql]) => `jsonb_build_object('${name}', jsonb_build_array(null, ${sql}))`);
  return insertion(tx, AuditEvent, properties, events, {
    parts: [...parts, 'written'],
    set: { ...set, changes: ['own.changes', ...taken].join(' || ') },
  });
}

/** What each event has of its own, besides what changed and when. */
const properties = ['id', 'organizationId', 'userId', 'appId', 'requestId', 'action', 'subjectType', 'subjectId'];

export function eventsOf(tx: Database, actor: Actor, changes: readonly Stamped[]): string {
  const events = changes.map((change) => eventOf(actor, change));
  return toJson(tx, AuditEvent, events, changes[0]?.stamp === undefined);
}

function eventOf(actor: Actor, { kind, entity, key, set, from = {}, organizationId, reason, stamp }: Stamped): Partial<AuditEvent> {
  const names = Object.keys(set ?? from);
  return {
    ...actor,
    id: randomUUIDv7(),
    organizationId,
    action: kind,
    subjectType: entity.name,
    subjectId: Object.entries(key)
      .filter(([name]) => name !== 'organizationId' || Object.keys(key).length === 1)
      .map(([, value]) => value)
      .join('/'),
    changes: {
      ...Object.fromEntries(names.map((name) => [name, [from[name] ?? null, set?.[name] ?? null]])),
      ...(reason && { reason: [null, reason] }),
    },
    ...(stamp && { occurredAt: stamp }),
  };
}
