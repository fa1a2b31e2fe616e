/**
 * Calculates the cost of an operation with its variables, and rejects operations over the limit.
 */
import { ApiError } from '../../errors.js';
import { observer } from '../../observer.js';
import type { List, Page, Rows, Variables } from './plan.js';

/** Unit: values. A field of a row and an object count one each. */
export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

/** The properties of a request that determine cost. */
export interface Asking {
  readonly variables: Variables;
  /** Number of the caller's memberships, which bounds some lists. */
  readonly memberships: number;
  /** The UTC day, `YYYY-MM-DD`. */
  readonly today: string;
}

type SizeOf = (page: List['page']) => number;

const sizeIn =
  ({ variables, memberships }: Asking): SizeOf =>
  (page) => {
    if (typeof page === 'number') return page;
    if (page === 'memberships') return memberships;
    const size = page.size(variables);
    return page.isOfMemberships ? Math.min(size, memberships) : size;
  };

function valuesIn({ fields, priced }: Rows, { variables, today }: Asking): number {
  let values = fields;
  for (const { value, price, isDay } of priced) {
    const given = value(variables) ?? null;
    if (given !== null && !(isDay && String(given) >= today)) values += price;
  }
  return values;
}

function count(rows: Rows, asking: Asking, sizeOf: SizeOf): number {
  let values = valuesIn(rows, asking);
  for (const list of rows.lists) values += sizeOf(list.page) * count(list, asking, sizeOf);
  return values;
}

/** Maximum number of values in the response. A plain array counts with its assumed length. */
export const costOf = (plan: Rows, asking: Asking): number => count(plan, asking, sizeIn(asking));

/**
 * The `invalid_request` error for an operation over the limit. The message says what to reduce and
 * how far.
 */
export function tooCostly(plan: Rows, asking: Asking, { requested, limit }: Cost): ApiError {
  observer?.count('costRefusal');
  const { path, page, most = 0 } = reduction(plan, asking, limit);
  const size =
    page && (page.argument === 'first' ? `"first: ${most}"` : `${most} ${page.argument}`);
  const advice = page
    ? `use ${size} at ${page.path}, or select fewer fields`
    : 'use smaller pages or select fewer fields';
  return new ApiError(
    'invalid_request',
    `The operation requests up to ${say(requested)} values at once, and the limit is ${say(limit)}. Most are in ${path}: ${advice}.`,
    { requested, limit, path, ...(page && { page: page.path, [page.argument]: most }) },
  );
}

const say = (values: number): string => values.toLocaleString('en');

/**
 * The part with most values, and the innermost page around it that `most` rows bring under the
 * limit.
 */
function reduction(
  plan: Rows,
  asking: Asking,
  limit: number,
): { path: string; page?: Page; most?: number } {
  const { path, pages } = heaviest(plan, asking);
  const sizeOf = sizeIn(asking);
  for (const page of pages) {
    const costWith = (size: number) =>
      count(plan, asking, (each) => (each === page ? size : sizeOf(each)));
    const [one, two] = [costWith(1), costWith(2)];
    if (one <= limit) return { path, page, most: 1 + Math.floor((limit - one) / (two - one)) };
  }
  return { path };
}

interface Heaviest {
  readonly values: number;
  readonly path: string;
  /** The pages that contain the values, innermost first. */
  readonly pages: readonly Page[];
}

/** The list whose own fields have the most values over all its rows. */
function heaviest(plan: Rows, asking: Asking): Heaviest {
  const sizeOf = sizeIn(asking);
  const visit = (rows: Rows, path: string, times: number, pages: readonly Page[]): Heaviest =>
    rows.lists
      .map((list) => {
        const within = typeof list.page === 'object' ? [list.page, ...pages] : pages;
        return visit(list, list.path, times * sizeOf(list.page), within);
      })
      .reduce((most, each) => (each.values > most.values ? each : most), {
        values: times * valuesIn(rows, asking),
        path,
        pages,
      });
  return visit(plan, 'the operation', 1, []);
}
