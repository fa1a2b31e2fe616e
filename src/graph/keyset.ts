/** The statements of lists: walks along an index from a position on. */
import { Values } from '../database/values.js';
import type { SyncArgs } from './connection.js';
import type { ListIdentity, Position } from './cursor.js';
import type { Selection } from './selection.js';
import { columnsFor, type Source } from './source.js';

/** Columns and the value that each must have. A filter that is null or undefined doesn't narrow. */
export type Equals = Readonly<Record<string, unknown>>;

/** SQL with a `?` for each value. */
export type Condition = readonly [sql: string, ...values: unknown[]];

/** That a text has a term in it, in any case. */
export const contains = (text: string, term: string): Condition => [`lower(${text}) like lower(?)`, `%${term.replace(/[\\%_]/g, '\\$&')}%`];

/** A part of a list that one index serves. A list over several organizations has one arm for each, and for the shared catalogue. */
export interface Arm {
  readonly equals: Equals;
  /** Further filters: checked row by row on the walk, within the organization that the index begins with. */
  readonly where?: readonly Condition[];
}

/** Another order than the oldest change first, with an index of its own; the id breaks ties. */
export interface Order {
  /** SQL of the value that rows are ordered by; never null. */
  readonly by: string;
  /** Whether a text can be such a value. */
  readonly isPlace: (text: string) => boolean;
  readonly isDescending: boolean;
}

export interface List {
  readonly name: string;
  readonly source: Source;
  readonly arms: readonly Arm[];
  /** Only for a list of one arm. */
  readonly order?: Order | undefined;
  /** What tells the list from others of its name, where that is not the filters of its arms. */
  readonly identity?: ListIdentity;
  /** The organizations whose clocks stamp the rows: see {@link horizon}. Left out where there is just one. */
  readonly clocks?: { readonly organizationIds: readonly string[]; readonly publishers?: boolean };
}

/** Whether something narrows a list that isn't part of an index: how many rows it lets through depends on its values. */
export const isNarrowed = (where: readonly Condition[] = []): boolean => where.some(([, ...values]) => values.length > 0);

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

export function conditions({ equals, where = [] }: Arm, values: Values): string[] {
  const set = Object.entries(equals).filter(([, value]) => isSet(value));
  return [
    ...set.map(([column, value]) => `${column} = ${values.add(value)}`),
    ...where.map(([sql, ...given]) => sql.replaceAll('?', () => values.add(given.shift()))),
  ];
}

/**
 * Rows of one organization are stamped in commit order, rows of several are not: while a write in one is under way, its stamp may be below what
 * another already shows. So that a client who follows the greatest `updated_at` misses nothing, the page then ends at the newest stamp that the
 * organization being written had. Whoever ticks a clock is `xmax` of the row that this statement's snapshot sees: under way, or committed since, and so
 * not below the snapshot's `xmin`. (On a standby a snapshot doesn't list who was under way between that and its `xmax`.) PostgreSQL leaves the lock of
 * whoever made the row on it, as `xmax` too: that is done. Reading takes no lock, so that readers never hold writers up. `tick` must not run below a savepoint.
 */
function horizon({ organizationIds, publishers }: NonNullable<List['clocks']>, values: Values): string {
  const given = `${values.add(organizationIds)}::uuid[]`;
  const all = publishers ? `array(select id from organizations where is_publisher) || ${given}` : given;
  return `with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at from (
      select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
      from organization_clocks where organization_id = any(${all}) and xmax <> xmin offset 0) clock
    cross join lateral (select ${wideXid}::text::xid8 as ticker offset 0) wide
    where xid <> 0 and case pg_xact_status(ticker)
      when 'in progress' then true when 'committed' then ticker >= pg_snapshot_xmin(pg_current_snapshot()) else false end) `;
}

/** SQL: the transaction id of 64 bits that is nearest to `next` among those whose lower 32 bits are `xid`. */
const wideXid = '(next + ((xid - next + 2147483648) & 4294967295) - 2147483648)';

/** Pages that most ask for: their size stands in the text, so that PostgreSQL plans for a page; for a value it plans for a tenth of the list. */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200]);

/** What all arms of a page share: the columns, the bounds, the order and the limit. */
export function pageSelect(
  source: Source,
  selection: Selection,
  args: SyncArgs,
  { after, order }: { readonly after: Position | undefined; readonly order?: Order | undefined },
  values: Values,
  further: string[] = [],
) {
  const { list, from } = columnsFor(source, selection);
  const { updatedAt, id } = source.columns;
  const [by, columns] = order ? [order.by, `${list}, ${order.by} as place`] : [updatedAt, list];
  const [beyond, direction] = order?.isDescending ? ['<', ' desc'] : ['>', ''];
  const bounds = [...further];
  if (after) bounds.push(`(${by}, ${id}) ${beyond} (${values.add(after.updatedAt)}, ${values.add(after.id)})`);
  if (args.updatedAfter) bounds.push(`${updatedAt} > ${values.add(args.updatedAfter)}`);
  const limit = usualSizes.has(args.first) ? String(args.first + 1) : values.add(args.first + 1);
  const select = (where: string[]) =>
    `select ${columns} from ${from} where ${[...where, ...bounds].join(' and ')} order by ${by}${direction}, ${id}${direction} limit ${limit}`;
  return { select, limit };
}

export function pageStatement({ source, arms, order, clocks }: List, selection: Selection, args: SyncArgs, after: Position | undefined) {
  const values = new Values();
  const within = clocks ? horizon(clocks, values) : '';
  const shown = clocks ? [`${source.columns.updatedAt} <= (select at from horizon)`] : [];
  const { select, limit } = pageSelect(source, selection, args, { after, order }, values, shown);
  const selects = arms.map((arm) => select(conditions(arm, values)));
  const text =
    selects.length === 1
      ? selects[0]
      : `select * from (${selects.map((each) => `(${each})`).join(' union all ')}) page order by "updatedAt", "id" limit ${limit}`;
  return { text: `${within}${text}`, values: values.all };
}

/** SQL of the number of rows that fit, wherever a page begins. */
export function countOf({ from, columns }: Source, { updatedAfter }: SyncArgs, where: string[], values: Values): string {
  const later = updatedAfter ? [`${columns.updatedAt} > ${values.add(updatedAfter)}`] : [];
  return `(select count(*) from ${from} where ${[...where, ...later].join(' and ')})`;
}

export function countStatement({ source, arms }: List, args: SyncArgs) {
  const values = new Values();
  const counts = arms.map((arm) => countOf(source, args, conditions(arm, values), values));
  return { text: `select (${counts.join(' + ')})::int as total`, values: values.all };
}

/** What makes a list differ from another: its name, the filters that are set, and its order. */
export const identityOf = ({ name, arms, identity, order }: Pick<List, 'name' | 'arms' | 'identity' | 'order'>): ListIdentity => [
  name,
  ...(identity ?? arms.map(({ equals, where = [] }) => [Object.entries(equals).filter(([, value]) => isSet(value)), ...where])),
  ...(order ? [[order.by, order.isDescending]] : []),
];
