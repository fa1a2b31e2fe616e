/** Reading lists by keyset, each page in one statement. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.js';
import { batch } from './batch.js';
import { type Connection, type SyncArgs, toConnection } from './connection.js';
import { decodeCursor, type ListIdentity, type Position } from './cursor.js';
import { recordsOf, type Selection, selectionOf } from './selection.js';
import { columnsFor, type Source } from './source.js';

/** Columns and the value that each must have. A filter that is null or undefined doesn't narrow. */
export type Equals = Readonly<Record<string, unknown>>;

/** A part of a list that one index serves. A list over several organizations has one arm for each, and for the shared catalogue. */
export interface Arm {
  readonly equals: Equals;
  /** Free-text search over these expressions, for a term. */
  readonly search?: { readonly expression: string; readonly term: string | null | undefined };
}

export interface List {
  readonly name: string;
  readonly source: Source;
  readonly arms: readonly Arm[];
  /** What tells the list from others of its name, where that is not the filters of its arms. */
  readonly identity?: ListIdentity;
  /** The organizations whose clocks stamp the rows: see {@link horizon}. Left out where there is just one. */
  readonly clocks?: { readonly organizationIds: readonly string[]; readonly publishers?: boolean };
}

/** Values of a statement, numbered as they come. */
class Values {
  readonly all: unknown[] = [];
  add = (value: unknown): string => `$${this.all.push(value)}`;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

function conditions({ equals, search }: Arm, values: Values): string[] {
  const all = Object.entries(equals)
    .filter(([, value]) => isSet(value))
    .map(([column, value]) => `${column} = ${values.add(value)}`);
  if (search?.term) all.push(`${search.expression} like lower(${values.add(`%${search.term.replace(/[\\%_]/g, '\\$&')}%`)})`);
  return all;
}

/**
 * Rows of one organization are stamped in commit order, rows of several are not: while a write in one is under way, its stamp may be below what
 * another already shows. So that a client who follows the greatest `updated_at` misses nothing, the page then ends at the newest stamp that the
 * organization being written had. Whoever ticks a clock is `xmax` of the row that this statement's snapshot sees: under way, or committed since. Reading
 * that takes no lock, so that readers never hold writers up, and works on a standby. `tick` must not run below a savepoint.
 */
function horizon({ organizationIds, publishers }: NonNullable<List['clocks']>, values: Values): string {
  const given = `${values.add(organizationIds)}::uuid[]`;
  const all = publishers ? `array(select id from organizations where is_publisher) || ${given}` : given;
  return `with horizon as materialized (select coalesce(min(ticked_at), 'infinity') as at from (
      select ticked_at, pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, xmax::text::bigint as xid
      from organization_clocks where organization_id = any(${all}) offset 0) clock
    cross join lateral (select ${wideXid}::text::xid8 as ticker offset 0) wide
    where xid <> 0 and case pg_xact_status(ticker)
      when 'in progress' then true when 'committed' then not pg_visible_in_snapshot(ticker, pg_current_snapshot()) else false end) `;
}

/** SQL: the transaction id of 64 bits that is nearest to `next` among those whose lower 32 bits are `xid`. */
const wideXid = '(next + ((xid - next + 2147483648) & 4294967295) - 2147483648)';

/** What all arms of a page share: the columns, the bounds, the order and the limit. */
function pageSelect(
  source: Source,
  selection: Selection,
  args: SyncArgs,
  after: Position | undefined,
  values: Values,
  further: string[] = [],
) {
  const { list, from } = columnsFor(source, selection);
  const { updatedAt, id } = source.columns;
  const bounds = [...further];
  if (after) bounds.push(`(${updatedAt}, ${id}) > (${values.add(after.updatedAt)}, ${values.add(after.id)})`);
  if (args.updatedAfter) bounds.push(`${updatedAt} > ${values.add(args.updatedAfter)}`);
  const limit = values.add(args.first + 1);
  const select = (where: string[]) =>
    `select ${list} from ${from} where ${[...where, ...bounds].join(' and ')} order by ${updatedAt}, ${id} limit ${limit}`;
  return { select, limit };
}

function pageStatement({ source, arms, clocks }: List, selection: Selection, args: SyncArgs, after: Position | undefined) {
  const values = new Values();
  const within = clocks ? horizon(clocks, values) : '';
  const shown = clocks ? [`${source.columns.updatedAt} <= (select at from horizon)`] : [];
  const { select, limit } = pageSelect(source, selection, args, after, values, shown);
  const selects = arms.map((arm) => select(conditions(arm, values)));
  const text =
    selects.length === 1
      ? selects[0]
      : `select * from (${selects.map((each) => `(${each})`).join(' union all ')}) page order by "updatedAt", "id" limit ${limit}`;
  return { text: `${within}${text}`, values: values.all };
}

/** What makes a list differ from another: its name and the filters that are set. */
const identityOf = ({ name, arms, identity }: Pick<List, 'name' | 'arms' | 'identity'>): ListIdentity => [
  name,
  ...(identity ?? arms.map(({ equals, search }) => [Object.entries(equals).filter(([, value]) => isSet(value)), search?.term])),
];

const place = (row: Position): Position => row;

/** One page of a list, in one statement. */
export async function readPage<Row extends Position>(
  ctx: Context,
  info: GraphQLResolveInfo,
  list: List,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const identity = identityOf(list);
  const after = args.after ? decodeCursor(identity, args.after, 'after') : undefined;
  if (list.arms.length === 0) return toConnection<Row>(info, identity, args, [], place);
  const selection = recordsOf(selectionOf(info));
  const { text, values } = pageStatement(list, selection, args, after);
  const rows = await ctx.db.query<Row>(text, values);
  return toConnection(info, identity, args, columnsFor(list.source, selection).nest(rows), place);
}

/** A list below each of many parents, told apart by the ids in `keys`; `equals` holds for all of them. */
export interface ListBelow {
  readonly name: string;
  readonly source: Source;
  readonly keys: Readonly<Record<string, string>>;
  readonly equals?: Equals;
}

/**
 * A page of a list below one parent; the pages of all parents that the field has in a request are read in one statement.
 * A cursor belongs to one parent, and continues on the root field of the same list too.
 */
export function readPageBelow<Row extends Position>(
  ctx: Context,
  info: GraphQLResolveInfo,
  { name, source, keys, equals = {} }: ListBelow,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const identity = identityOf({ name, arms: [{ equals: { ...keys, ...equals } }] });
  const after = args.after ? decodeCursor(identity, args.after, 'after') : undefined;
  const columns = Object.keys(keys);
  const loader = batch<readonly string[], Row[]>(ctx, info, columns.join(), async (parents) => {
    const values = new Values();
    const selection = recordsOf(selectionOf(info));
    const ids = columns.map((_, index) => `${values.add(parents.map((parent) => parent[index]))}::uuid[]`);
    const below = columns.map((column, index) => `${column} = parent.key${index}`);
    const { select } = pageSelect(source, selection, args, after, values);
    const rows = await ctx.db.query<Row & { parent: number }>(
      `select parent.number::int as parent, page.* from unnest(${ids.join(', ')}) with ordinality as parent(${columns.map((_, index) => `key${index}`).join(', ')}, number)
       cross join lateral (${select([...below, ...conditions({ equals }, values)])}) page order by parent.number, page."updatedAt", page."id"`,
      values.all,
    );
    columnsFor(source, selection).nest(rows);
    const pages: Row[][] = parents.map(() => []);
    for (const row of rows) pages[row.parent - 1]?.push(row);
    return pages;
  });
  return loader.load(Object.values(keys)).then((rows) => toConnection(info, identity, args, rows, place));
}
