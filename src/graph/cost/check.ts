/** What an operation costs with its variables, and why one that costs too much is refused. */
import { ApiError } from '../../errors.js';
import { observer } from '../../telemetry/observer.js';
import type { List, Page, Rows, Variables } from './plan.js';

/** In values: a field of a row, or an object, each counts one. */
export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

type FirstOf = (page: Page) => number;

const sizeOf = ({ page }: List, firstOf: FirstOf): number => (typeof page === 'number' ? page : firstOf(page));

function count({ fields, lists }: Rows, firstOf: FirstOf): number {
  let values = fields;
  for (const list of lists) values += sizeOf(list, firstOf) * count(list, firstOf);
  return values;
}

/** How many values the answer can have at the most; a plain array counts with the size that it is taken to have. */
export const costOf = (plan: Rows, variables: Variables): number => count(plan, ({ first }) => first(variables));

/** The refusal of an operation over the limit: `invalid_request`, saying what to reduce and how far. */
export function tooCostly(plan: Rows, variables: Variables, { requested, limit }: Cost): ApiError {
  observer?.count('costRefusal');
  const { path, page, first } = reduction(plan, variables, limit);
  const advice = page ? `ask for "first: ${first}" at ${page}, or for fewer fields` : 'ask for smaller pages and for fewer fields';
  return new ApiError(
    'invalid_request',
    `The operation asks for up to ${say(requested)} values at once, and the limit is ${say(limit)}. Most are in ${path}: ${advice}.`,
    { requested, limit, path, ...(page && { page, first }) },
  );
}

const say = (values: number): string => values.toLocaleString('en');

/** Where most values are, and the innermost page around them that a smaller `first` brings under the limit, all else being equal. */
function reduction(plan: Rows, variables: Variables, limit: number): { path: string; page?: string; first?: number } {
  const { path, pages } = heaviest(plan, variables);
  for (const page of pages) {
    const costWith = (first: number) => count(plan, (each) => (each === page ? first : each.first(variables)));
    const [one, two] = [costWith(1), costWith(2)];
    if (one <= limit) return { path, page: page.path, first: 1 + Math.floor((limit - one) / (two - one)) };
  }
  return { path };
}

interface Heaviest {
  readonly values: number;
  readonly path: string;
  /** The pages that the values are in, innermost first. */
  readonly pages: readonly Page[];
}

/** The list whose own fields have the most values, over all the rows that it comes in. */
function heaviest(plan: Rows, variables: Variables): Heaviest {
  const visit = (rows: Rows, path: string, times: number, pages: readonly Page[]): Heaviest =>
    rows.lists
      .map((list) => {
        const within = typeof list.page === 'number' ? pages : [list.page, ...pages];
        return visit(list, list.path, times * sizeOf(list, ({ first }) => first(variables)), within);
      })
      .reduce((most, each) => (each.values > most.values ? each : most), { values: times * rows.fields, path, pages });
  return visit(plan, 'the operation', 1, []);
}
