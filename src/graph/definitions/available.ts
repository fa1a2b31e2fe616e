import type { Context } from '../../context.js';
import { invalid, type Problems } from '../../errors.js';
import { available, type Kind, kinds } from './reads.js';

/** A set of definitions from a request. */
interface Given {
  readonly kind: Kind;
  readonly ids: readonly string[];
  /**
   * The stored set: its owner, and SQL that selects its ids with $3 for the owner. Stored entries
   * may remain even when archived.
   */
  readonly owner: string;
  readonly stored: string;
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

/**
 * @throws {ApiError} `validation_error` for too many entries, for each duplicate, and for each that
 * the organization cannot use or that was archived before it was in the set.
 */
export async function requireAvailableSet(
  ctx: Context,
  organizationId: string,
  given: Given,
): Promise<void> {
  const { kind, ids, owner, stored, max, list, place = '', called, short = called } = given;
  if (ids.length > max) throw invalid({ [list]: [`must have at most ${max} entries`] });
  const rows = await ctx.db.query<{ id: string }>(
    `select d.id from ${kinds[kind].from} where d.id = any($1) and (d.status = 'active' or d.id in (${stored})) and ${available('d', '$2')}`,
    [ids, [organizationId], owner],
  );
  const found = new Set(rows.map(({ id }) => id));
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
