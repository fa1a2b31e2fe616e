/** Running a bulk upsert: one transaction, a constant number of statements. */
import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { overtaken, pgError } from '../../database/failures.js';
import { type Actor, type Change, write } from '../../database/journal.js';
import type { Plan, UpsertOutcome } from '../../entities/upsert/plan.js';
import type { Problems } from '../../errors.js';

/** Where rows go, and for whom. */
export interface Target {
  /** In a transaction. */
  readonly tx: Database;
  readonly actor: Actor;
  readonly organizationId: string;
  /** Of the person in the organization. */
  readonly role: string;
}

export interface UpsertOptions {
  /** True: no row is written unless all can be. */
  readonly isAtomic: boolean;
  /** True: nothing is written at all. */
  readonly dryRun: boolean;
}

export interface Upserted {
  /** Whether the outcomes hold: false after a dry run, and when a row kept all others from being written. */
  readonly applied: boolean;
  readonly rows: readonly UpsertedRow[];
}

export interface UpsertedRow {
  /** From 0. */
  readonly index: number;
  readonly outcome: UpsertOutcome;
  /** Of the record; null when there is none. */
  readonly id: string | null;
  readonly problems: Readonly<Problems>;
}

/**
 * Makes the bulk upserts of an organization wait for each other, before they look what is there: of two with the same rows, the second finds what the
 * first wrote. Other writers aren't held up; one that comes in between makes the call begin again (see {@link writePlans}).
 * Statements are planned for the rows at hand: a plan kept from when the table was small would look through all of it for each row.
 */
export async function takeTurn({ tx, organizationId }: Target): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0)), set_config('plan_cache_mode', 'force_custom_plan', true)`, [
    `upsert ${organizationId}`,
  ]);
}

/** The plans that are to be carried out; none in a dry run, and when an atomic call has a row that fails. */
const toCarryOut = (plans: readonly Plan[], { isAtomic, dryRun }: UpsertOptions): boolean =>
  !dryRun && !(isAtomic && plans.some(({ outcome }) => outcome === 'failed'));

/**
 * Carries the plans out, as far as the options let it.
 * @param complete What the plans of new records still lack, in their order.
 * @throws {Error} that has the transaction repeated, when somebody took a key meanwhile.
 */
export async function writePlans(
  { tx, actor, organizationId }: Target,
  entity: EntityClass<object>,
  plans: readonly Plan[],
  options: UpsertOptions,
  complete: (created: readonly Plan[]) => Promise<readonly object[]> = async (created) => created.map(() => ({})),
): Promise<Upserted> {
  const applied = toCarryOut(plans, options);
  const ids = plans.map(({ outcome, id }) => id ?? (applied && outcome === 'created' ? randomUUIDv7() : null));
  if (applied) {
    const of = (wanted: UpsertOutcome) => [...plans.entries()].filter(([, { outcome }]) => outcome === wanted);
    const created = of('created');
    const completions = await complete(created.map(([, plan]) => plan));
    const change = (index: number, set: object, from?: Plan['from']): Change => {
      const key = { organizationId, id: ids[index] };
      return { organizationId, entity, key, set: { ...set }, ...(from && { from }) };
    };
    // Those of a kind together, so that few statements write them.
    await write(tx, actor, [
      ...of('updated').map(([index, { set, from }]) => change(index, set, from)),
      ...created.map(([index, { set }], order) => change(index, { ...set, ...completions[order] })),
    ]).catch((error: unknown) => {
      throw pgError(error)?.code === '23505' ? overtaken(error) : error;
    });
  }
  return { applied, rows: plans.map(({ outcome, problems }, index) => ({ index, outcome, id: ids[index] ?? null, problems })) };
}
