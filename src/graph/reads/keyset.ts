/** Builds the statements of lists: keyset pagination along an index. */
import { Values } from '../../database/values.js';
import type { SyncArgs } from './connection.js';
import type { ListIdentity, Position } from './cursor.js';
import { columnsFor, type Projection } from './projection.js';
import type { Selection } from './selection.js';

/** Equality filters by column. Null and undefined do not filter. */
export type Equals = Readonly<Record<string, unknown>>;

/** SQL with a `?` for each value. */
export type Condition = readonly [sql: string, ...values: unknown[]];

/** SQL condition: a text contains a term, case-insensitively. */
export const contains = (text: string, term: string): Condition => [
  `lower(${text}) like lower(?)`,
  `%${term.replace(/[\\%_]/g, '\\$&')}%`,
];

/**
 * A branch of a `union all` that one index serves. A list over several organizations has one branch
 * for each, and one for the shared catalogue.
 */
export interface Branch {
  readonly equals: Equals;
  /** Additional filters, evaluated per row of the index scan. */
  readonly where?: readonly Condition[];
}

/**
 * A sort order with an index of its own, in place of the oldest change first. The id breaks ties.
 */
export interface Order {
  /** SQL of the sort key; never null. */
  readonly by: string;
  /** Whether a text is a valid sort key. */
  readonly isPlace: (text: string) => boolean;
  readonly isDescending: boolean;
}

export interface List {
  readonly name: string;
  readonly projection: Projection;
  readonly branches: readonly Branch[];
  /** Allowed only with a single branch. */
  readonly order?: Order | undefined;
  /** Identifies the list among those of the same name, besides the filters of its branches. */
  readonly identity?: ListIdentity;
  /**
   * The organizations whose version clocks apply to the rows: see {@link horizon}. Undefined for a
   * single organization.
   */
  readonly clocks?: { readonly organizationIds: readonly string[]; readonly publishers?: boolean };
}

/** Whether a filter outside the index applies. Its selectivity depends on the values. */
export const isNarrowed = (where: readonly Condition[] = []): boolean =>
  where.some(([, ...values]) => values.length > 0);

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

export function conditions({ equals, where = [] }: Branch, values: Values): string[] {
  const set = Object.entries(equals).filter(([, value]) => isSet(value));
  return [
    ...set.map(([column, value]) => `${column} = ${values.add(value)}`),
    ...where.map(([sql, ...given]) => sql.replaceAll('?', () => values.add(given.shift()))),
  ];
}

/** SQL of the 64-bit transaction id nearest to `next` whose lower 32 bits are `xid`. */
const wideXid = '(next + ((xid - next + 2147483648) & 4294967295) - 2147483648)';

const clockRows = `select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid`;

const wide = `cross join lateral (select ${wideXid}::text::xid8 as ticker offset 0) wide`;

const isInProgress = `xid <> 0 and case pg_xact_status(ticker)
      when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end`;

/**
 * The low watermark of a list over several organizations. Versions of one organization are in
 * commit order, but those of several are not: a write in progress may have a version below one that
 * is already visible in another organization. The page therefore ends at the last version of the
 * organization being written, so that a client that follows the greatest `updated_at` misses
 * nothing. The transaction that advances a clock is `xmax` of the row in this statement's snapshot:
 * in progress or committed since, and so not below the snapshot's `xmin`. (On a standby, a snapshot
 * does not list the transactions in progress between `xmin` and `xmax`.) PostgreSQL also leaves the
 * lock of the row's creator as `xmax`; that transaction is complete. Reading takes no lock and
 * never blocks writers. `tick` must not run below a savepoint.
 */
function horizon(
  { organizationIds, publishers }: NonNullable<List['clocks']>,
  values: Values,
  clocks: Clocks,
): string {
  const given = `${values.add(organizationIds)}::uuid[]`;
  const all = publishers
    ? `array(select id from organizations where is_publisher) || ${given}`
    : given;
  return `with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at from (
      ${clockRows} from ${clocks} where organization_id = any(${all}) and xmax <> xmin offset 0) clock
    ${wide} where ${isInProgress}) `;
}

/**
 * The table with the version clocks of a list: on a cluster the clocks are on other nodes than
 * reference tables, which have their own.
 */
export type Clocks = 'organization_clocks' | 'reference_clocks';

/**
 * The version clock of the organization `$1`, as the node of its shard knows it: its last committed
 * value, and whether a write is in progress.
 */
export const clockStatement = `
  select ticked_at as at, xmax <> xmin and ${isInProgress} as "isInProgress" from (
    ${clockRows}, xmin, xmax from organization_clocks where organization_id = $1 offset 0) clock ${wide}`;

/**
 * Common page sizes. They are literals in SQL, so that PostgreSQL plans for a page; with a
 * parameter it assumes a tenth of the list.
 */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200]);

/** The parts that all branches of a page share: columns, bounds, order and limit. */
export function pageSelect(
  projection: Projection,
  selection: Selection,
  args: SyncArgs,
  { after, order }: { readonly after: Position | undefined; readonly order?: Order | undefined },
  values: Values,
  further: string[] = [],
) {
  const { list, from } = columnsFor(projection, selection);
  const { updatedAt, id } = projection.columns;
  const [by, columns] = order ? [order.by, `${list}, ${order.by} as place`] : [updatedAt, list];
  const [beyond, direction] = order?.isDescending ? ['<', ' desc'] : ['>', ''];
  const bounds = [...further];
  if (after)
    bounds.push(
      `(${by}, ${id}) ${beyond} (${values.add(after.updatedAt)}, ${values.add(after.id)})`,
    );
  if (args.updatedAfter) bounds.push(`${updatedAt} > ${values.add(args.updatedAfter)}`);
  const limit = usualSizes.has(args.first) ? String(args.first + 1) : values.add(args.first + 1);
  const select = (where: string[]) =>
    `select ${columns} from ${from} where ${[...where, ...bounds].join(' and ')} order by ${by}${direction}, ${id}${direction} limit ${limit}`;
  return { select, limit };
}

export function pageStatement(
  { projection, branches, order, clocks }: List,
  selection: Selection,
  args: SyncArgs,
  after: Position | undefined,
  clocksTable: Clocks = 'organization_clocks',
) {
  const values = new Values();
  const within = clocks ? horizon(clocks, values, clocksTable) : '';
  const shown = clocks ? [`${projection.columns.updatedAt} <= (select at from horizon)`] : [];
  const { select, limit } = pageSelect(
    projection,
    selection,
    args,
    { after, order },
    values,
    shown,
  );
  const selects = branches.map((branch) => select(conditions(branch, values)));
  const text =
    selects.length === 1
      ? selects[0]
      : `select * from (${selects.map((each) => `(${each})`).join(' union all ')}) page order by "updatedAt", "id" limit ${limit}`;
  return { text: `${within}${text}`, values: values.all };
}

/** SQL of the total number of matching rows. */
export function countOf(
  { from, columns }: Projection,
  { updatedAfter }: SyncArgs,
  where: string[],
  values: Values,
): string {
  const later = updatedAfter ? [`${columns.updatedAt} > ${values.add(updatedAfter)}`] : [];
  return `(select count(*) from ${from} where ${[...where, ...later].join(' and ')})`;
}

export function countStatement({ projection, branches }: List, args: SyncArgs) {
  const values = new Values();
  const counts = branches.map((branch) =>
    countOf(projection, args, conditions(branch, values), values),
  );
  return { text: `select (${counts.join(' + ')})::int as total`, values: values.all };
}

/**
 * Identifies a list: its name, filters and order. `updatedAfter` counts as a filter: a cursor
 * issued without it could be beyond its rows and return an empty last page.
 */
export const identityOf = (
  { name, branches, identity, order }: Pick<List, 'name' | 'branches' | 'identity' | 'order'>,
  { updatedAfter }: Pick<SyncArgs, 'updatedAfter'>,
): ListIdentity => [
  name,
  ...(identity ??
    branches.map(({ equals, where = [] }) => [
      Object.entries(equals).filter(([, value]) => isSet(value)),
      ...where,
    ])),
  ...(order ? [[order.by, order.isDescending]] : []),
  ...(updatedAfter ? [{ updatedAfter }] : []),
];
