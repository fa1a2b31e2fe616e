/**
 * What clients asked for and what they were told, held against what the database has in the end.
 */
import type { Database } from '../../src/database/connection.js';
import { marker } from '../support/changes.js';
import { ensure } from '../support/expect.js';

interface Attempt {
  /** The id of the record, once a server said that it is there. */
  acknowledged?: string;
}

interface Update {
  readonly value: string;
  isAcknowledged: boolean;
}

interface Stored {
  readonly id: string;
  /** The organization. */
  readonly place: string;
  readonly tag: string;
  readonly value: string | null;
  readonly updatedAt: string;
}

interface Event {
  readonly id: string;
  readonly action: string;
  readonly tag: string | null;
  readonly value: string | null;
  readonly occurredAt: string;
}

const storedStatement = `select id, organization_id as place, serial_number as tag, issuer_name as value, updated_at as "updatedAt" from certifications
  where external_source = '${marker}' order by updated_at`;
const eventsStatement = `select subject_id as id, action, changes -> 'serialNumber' ->> 1 as tag, changes -> 'issuerName' ->> 1 as value,
  occurred_at as "occurredAt" from audit_events where subject_type = 'Certification' and subject_id = any($1) order by occurred_at`;
const versionsStatement =
  'select count(*) as count from certification_history where certification_id = any($1)';
const openKeysStatement = 'select key from idempotency_records where status is null';

export class History {
  private readonly creates = new Map<string, Attempt>();
  private readonly updates = new Map<string, Update[]>();

  /**
   * Each create has a tag of its own as its serial number. @returns To be called with the id that a
   * server answered with.
   */
  asked(tag: string): (id: string) => void {
    const attempt: Attempt = {};
    this.creates.set(tag, attempt);
    return (id) => {
      ensure(
        attempt.acknowledged === undefined || attempt.acknowledged === id,
        `${tag} was answered with two records`,
      );
      attempt.acknowledged = id;
    };
  }

  /**
   * Each update has a value of its own, and of one record one follows the other. @returns To be
   * called when a server answered with success.
   */
  updated(id: string, value: string): () => void {
    const update: Update = { value, isAcknowledged: false };
    this.updates.set(id, [...(this.updates.get(id) ?? []), update]);
    return () => {
      update.isAcknowledged = true;
    };
  }

  get acknowledged(): { readonly creates: number; readonly updates: number } {
    const creates = [...this.creates.values()].filter(({ acknowledged }) => acknowledged).length;
    const updates = [...this.updates.values()]
      .flat()
      .filter(({ isAcknowledged }) => isAcknowledged).length;
    return { creates, updates };
  }

  /**
   * Nothing acknowledged is lost, nothing is there twice or unasked for, and each write has its one
   * event in the audit.
   * @returns What a client that followed must have seen: each record with its stamp, and the stamps
   * of all events.
   */
  async verify(
    db: Database,
  ): Promise<{ readonly stored: readonly Stored[]; readonly events: readonly Event[] }> {
    const stored = await db.query<Stored>(storedStatement);
    const ids = stored.map(({ id }) => id);
    const events = await db.query<Event>(eventsStatement, [ids]);
    const problems = [
      ...this.problemsOfCreates(stored),
      ...stored.flatMap((each) => this.problemsOf(each, events)),
    ];
    expect(problems).toEqual([]);
    const [versions] = await db.query<{ count: number }>(versionsStatement, [ids]);
    expect(versions?.count).toBe(events.length); // each write has its version in the history
    expect(await db.query(openKeysStatement)).toEqual([]); // no key stays in progress
    expect(this.acknowledged.creates).toBeGreaterThan(0); // there was a load
    return { stored, events };
  }

  private problemsOfCreates(stored: readonly Stored[]): string[] {
    const byTag = Map.groupBy(stored, ({ tag }) => tag);
    const wrong = [...this.creates].flatMap(([tag, { acknowledged }]) => {
      const ids = (byTag.get(tag) ?? []).map(({ id }) => id);
      if (
        acknowledged === undefined ? ids.length <= 1 : ids.length === 1 && ids[0] === acknowledged
      )
        return [];
      return [
        `create ${tag}: answered with ${acknowledged}, stored as ${ids.join(' and ') || 'nothing'}`,
      ];
    });
    const unasked = [...byTag.keys()]
      .filter((tag) => !this.creates.has(tag))
      .map((tag) => `nobody asked for ${tag}`);
    return [...wrong, ...unasked];
  }

  private problemsOf({ id, tag, value, updatedAt }: Stored, all: readonly Event[]): string[] {
    const [first, ...later] = all.filter((event) => event.id === id);
    const problems: string[] = [];
    if (first?.action !== 'create' || first.tag !== tag)
      problems.push(`${tag} has no event of its creation`);
    if ((later.at(-1) ?? first)?.occurredAt !== updatedAt)
      problems.push(`${tag} is not stamped as its last event`);
    const updates = this.updates.get(id) ?? [];
    const applied = later.map((event) => event.value);
    const expected = updates
      .filter(({ value, isAcknowledged }) => isAcknowledged || applied.includes(value))
      .map((update) => update.value);
    if (applied.join() !== expected.join())
      problems.push(`${tag}: answered ${expected.join()}, in the audit ${applied.join()}`);
    if (value !== (expected.at(-1) ?? null))
      problems.push(`${tag}: ${value} is stored, ${expected.at(-1)} was written last`);
    return problems;
  }
}
