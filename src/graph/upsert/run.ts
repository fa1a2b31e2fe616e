/** Runs a bulk upsert: one transaction with a constant number of statements per 200 rows. */
import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { overtaken, pgError } from '../../database/failures.js';
import { type Actor, type Change, recordChanges } from '../../database/record-changes.js';
import type { Problems } from '../../errors.js';
import type { Plan, UpsertOutcome } from '../../rules/upsert/plan.js';

/** Rows per batch. Between batches the server handles other requests. */
const rowsAtOnce = 200;

/** The target organization and the actor. */
export interface Target {
  /** The transaction. */
  readonly tx: Database;
  readonly actor: Actor;
  readonly organizationId: string;
  /** The role of the person in the organization. */
  readonly role: string;
}

export interface UpsertOptions {
  /** Whether no row is written unless all can be. */
  readonly isAtomic: boolean;
  /** Whether nothing is written (dry run). */
  readonly dryRun: boolean;
}

export interface Upserted {
  /**
   * Whether the outcomes were written: false after a dry run, or when a failed row prevented all
   * writes.
   */
  readonly applied: boolean;
  readonly rows: readonly UpsertedRow[];
}

export interface UpsertedRow {
  /** Index of the row, from 0. */
  readonly index: number;
  readonly outcome: UpsertOutcome;
  /** Id of the record; null when there is none. */
  readonly id: string | null;
  readonly problems: Readonly<Problems>;
}

/**
 * Serializes the bulk upserts of an organization before they read: of two with the same rows, the
 * second finds the records of the first. Other writers are not blocked; a conflicting one makes the
 * request retry (see {@link writePlans}). The statements use custom plans: a generic plan from when
 * the table was small would scan it for each row.
 */
export async function takeTurn({ tx, organizationId }: Target): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended($1, 0)), set_config('plan_cache_mode', 'force_custom_plan', true)`,
    [`upsert ${organizationId}`],
  );
}

/** The plans to execute: none in a dry run, or when an atomic request has a failed row. */
const toCarryOut = (plans: readonly Plan[], { isAtomic, dryRun }: UpsertOptions): boolean =>
  !dryRun && !(isAtomic && plans.some(({ outcome }) => outcome === 'failed'));

/**
 * Executes the plans that the options allow.
 * @param complete Adds the remaining properties of a new record, by its id.
 * @throws {Error} that retries the transaction when a key was taken concurrently.
 */
export async function writePlans(
  { tx, actor, organizationId }: Target,
  entity: EntityClass<object>,
  plans: readonly Plan[],
  options: UpsertOptions,
  complete: (id: string) => object = () => ({}),
): Promise<Upserted> {
  const applied = toCarryOut(plans, options);
  const ids = plans.map(
    ({ outcome, id }) => id ?? (applied && outcome === 'created' ? randomUUIDv7() : null),
  );
  if (applied) {
    const of = (wanted: UpsertOutcome) =>
      [...plans.entries()].filter(([, { outcome }]) => outcome === wanted);
    const change = (index: number, set: object, from?: Plan['from']): Change => {
      const key = { organizationId, id: ids[index] };
      return { organizationId, entity, key, set: { ...set }, ...(from && { from }) };
    };
    // Groups changes of the same kind to need few statements.
    const changes = [
      ...of('updated').map(([index, { set, from }]) => change(index, set, from)),
      ...of('created').map(([index, { set }]) =>
        change(index, { ...set, ...complete(ids[index] ?? '') }),
      ),
    ];
    for (let first = 0; first < changes.length; first += rowsAtOnce)
      await recordChanges(tx, actor, changes.slice(first, first + rowsAtOnce)).catch(
        (error: unknown) => {
          throw pgError(error)?.code === '23505' ? overtaken(error) : error;
        },
      );
  }
  return {
    applied,
    rows: plans.map(({ outcome, problems }, index) => ({
      index,
      outcome,
      id: ids[index] ?? null,
      problems,
    })),
  };
}
