/**
 * Sets of definitions that belong to another definition: the requirements of a qualification, the
 * qualifications of a job role.
 */
import type { Context } from '../../context.js';
import { invalid, type Problems } from '../../errors.js';
import { available, type Kind, kinds } from './reads.js';
import { lockOwnDefinition } from './service.js';

/** A kind of set. */
export interface DefinitionSet {
  /** The kind of its entries, and of the definition that it belongs to. */
  readonly kind: Kind;
  readonly ownerKind: Kind;
  /** Its table, with the columns of the owner and of the entry. */
  readonly table: string;
  readonly owner: string;
  readonly entry: string;
  /** More columns of a stored entry `s`, as SQL. */
  readonly columns: string;
  /** Maximum number of entries. */
  readonly max: number;
  /**
   * Path of the list and of the id in an entry, in request names: `requirements`,
   * `.certificationTypeId`.
   */
  readonly list: string;
  readonly place?: string;
  /** Name in messages: `certification type`, or short `type`. */
  readonly called: string;
  readonly short?: string;
}

/** An entry that is stored in the set, or given by a request. */
export interface Entry {
  readonly id: string;
  /** Its index in the stored set; null when it is not stored. */
  readonly position: number | null;
  /** Whether the set may have it. Stored entries may remain even when archived. */
  readonly isAvailable: boolean;
}

/** The stored entries of a set, and those of `ids` that exist. */
export function readEntries<Of extends Entry>(
  ctx: Context,
  set: DefinitionSet,
  organizationId: string,
  owner: string,
  ids: readonly string[],
): Promise<Of[]> {
  const { kind, table, columns } = set;
  const stored = `select ${set.entry} from ${table} where ${set.owner} = $3`;
  return ctx.db.query<Of>(
    `select d.id, ${columns}, (d.status = 'active' or s.position is not null) and ${available('d', '$2')} as "isAvailable"
     from ${kinds[kind].from} left join ${table} s on s.${set.owner} = $3 and s.${set.entry} = d.id
     where d.id = any($1::uuid[] || array(${stored}))`,
    [ids, [organizationId], owner],
  );
}

/**
 * @param entries From {@link readEntries} for `ids`.
 * @throws {ApiError} `validation_error` for too many ids, for each duplicate, and for each that the
 * organization cannot use or that was archived before it was in the set.
 */
export function requireAvailable(
  { max, list, place = '', called, short = called }: DefinitionSet,
  ids: readonly string[],
  entries: readonly Entry[],
): void {
  if (ids.length > max) throw invalid({ [list]: [`must have at most ${max} entries`] });
  const found = new Set(entries.filter(({ isAvailable }) => isAvailable).map(({ id }) => id));
  const problems: Problems = {};
  for (const [index, id] of ids.entries()) {
    const first = ids.indexOf(id);
    const problem = !found.has(id)
      ? `is not an active ${called} that this organization can use`
      : first !== index && `is the same ${short} as ${list}.${first}`;
    if (problem) problems[`${list}.${index}${place}`] = [problem];
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/**
 * Locks the definition that the set belongs to and reads the set, in one round trip.
 * @returns The stored entries, by id.
 * @throws {ApiError} Like {@link lockOwnDefinition}, then like {@link requireAvailable}.
 */
export async function lockSet<Of extends Entry>(
  ctx: Context,
  set: DefinitionSet,
  organizationId: string,
  owner: string,
  ids: readonly string[],
  ifUpdatedAt: string | null | undefined,
): Promise<Map<string, Of>> {
  let entries: Of[] = [];
  await lockOwnDefinition(ctx, set.ownerKind, organizationId, owner, ifUpdatedAt, async () => {
    entries = await readEntries<Of>(ctx, set, organizationId, owner, ids);
  });
  requireAvailable(set, ids, entries);
  return new Map(
    entries.filter(({ position }) => position !== null).map((entry) => [entry.id, entry]),
  );
}
