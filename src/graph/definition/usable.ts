import type { Context } from '../../context.js';
import { invalid, type Problems } from '../../errors.js';
import { type Kind, kinds, usable } from './reads.js';

/** A set of definitions as a client gave it. */
interface Given {
  readonly kind: Kind;
  readonly ids: readonly string[];
  /** How many there may be. */
  readonly most: number;
  /** The list, and the place of an id in one of its entries, in the client's names: `requirements`, `.certificationTypeId`. */
  readonly list: string;
  readonly place?: string;
  /** In sentences: `certification type`, and in short `type`. */
  readonly called: string;
  readonly short?: string;
}

/** @throws {ApiError} `validation_error` when there are too many, and naming each that is doubled or not an active one that the organization can use. */
export async function requireUsableSet(ctx: Context, organizationId: string, given: Given): Promise<void> {
  const { kind, ids, most, list, place = '', called, short = called } = given;
  if (ids.length > most) throw invalid({ [list]: [`must have at most ${most} entries`] });
  const rows = await ctx.db.query<{ id: string }>(
    `select d.id from ${kinds[kind].from} where d.id = any($1) and d.status = 'active' and ${usable('d', '$2')}`,
    [ids, [organizationId]],
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
