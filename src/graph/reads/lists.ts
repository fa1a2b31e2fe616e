/** Reads lists by keyset, each page in one statement. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { isReference } from '../../database/placements.js';
import { Values } from '../../database/values.js';
import { batch, readTogether } from './batch.js';
import { readBranches } from './branches.js';
import { type Connection, type SyncArgs, toConnection } from './connection.js';
import { decodeCursor, isInstant, type Position } from './cursor.js';
import {
  type Condition,
  conditions,
  countOf,
  countStatement,
  identityOf,
  isNarrowed,
  type List,
  pageSelect,
  pageStatement,
} from './keyset.js';
import type { Projection } from './projection.js';
import { recordsOf, type Selection, selectionOf } from './selection.js';

/** The sort key of a row; `place` is present in a list with its own sort order. */
const place = (row: Position & { readonly place?: string }): Position => ({
  updatedAt: row.place ?? row.updatedAt,
  id: row.id,
});

/** Whether more than the count of a connection is selected. */
const isPageAsked = (connection: Selection): boolean =>
  ['nodes', 'edges', 'pageInfo'].some((field) => connection.has(field));

/** The table of a list. */
const tableNameOf = ({ projection }: List): string => projection.from.split(' ')[0] ?? '';

/** One page of a list in one statement; its count, if selected, in another. */
export async function readPage<Row extends Position>(
  ctx: Context,
  info: GraphQLResolveInfo,
  list: List,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const identity = () => identityOf(list, args);
  const after = args.after
    ? decodeCursor(identity(), args.after, 'after', list.order?.isPlace ?? isInstant)
    : undefined;
  const asked = selectionOf(info);
  const options = { mayReplan: list.branches.some(({ where }) => isNarrowed(where)) };
  const read = async (): Promise<Row[]> => {
    if (list.branches.length === 0 || !isPageAsked(asked)) return [];
    const selection = recordsOf(asked);
    if (list.clocks && ctx.db.isDistributed && !isReference(tableNameOf(list)))
      return readBranches<Row>(ctx.db, list, selection, args, after);
    const clocks = ctx.db.isDistributed ? 'reference_clocks' : 'organization_clocks';
    const { text, values } = pageStatement(list, selection, args, after, clocks);
    return ctx.db.query<Row>(text, values, options);
  };
  const count = async (): Promise<number> => {
    if (list.branches.length === 0 || !asked.has('totalCount')) return 0;
    // One statement counts the rows of one node.
    const lists = ctx.db.isDistributed
      ? list.branches.map((branch) => ({ ...list, branches: [branch] }))
      : [list];
    const totals = lists.map(async (each) => {
      const { text, values } = countStatement(each, args);
      const [row] = await ctx.db.query<{ total: number }>(text, values, options);
      return row?.total ?? 0;
    });
    return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
  };
  const [rows, totalCount] = await Promise.all([read(), count()]);
  return toConnection(identity, args, rows, place, totalCount);
}

/**
 * A list per parent, identified by the ids in `keys`, of which the organization is the first.
 * `where` applies to all parents.
 */
export interface ListBelow {
  readonly name: string;
  readonly projection: Projection;
  readonly keys: Readonly<Record<string, string>>;
  readonly where?: readonly Condition[];
}

/**
 * A page of a list of one parent. The pages of all parents of the field in a request are read in
 * one statement, and their counts in another. A cursor belongs to one parent, and is also valid on
 * the root field of the same list.
 */
export async function readPageBelow<Row extends Position>(
  ctx: Context,
  info: GraphQLResolveInfo,
  { name, projection, keys, where = [] }: ListBelow,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const identity = () => identityOf({ name, branches: [{ equals: keys }] }, args);
  const after = args.after ? decodeCursor(identity(), args.after, 'after') : undefined;
  const columns = Object.keys(keys);
  const asked = selectionOf(info);
  const parentsOf = (parents: readonly (readonly string[])[], values: Values): string => {
    const ids = columns.map(
      (_, index) => `${values.add(parents.map((parent) => parent[index]))}::uuid[]`,
    );
    return `unnest(${ids.join(', ')}) with ordinality as parent(${columns.map((_, index) => `key${index}`).join(', ')}, number)`;
  };
  const below = (values: Values, organizationId: string | undefined): string[] => [
    ...columns.map((column, index) => `${column} = parent.key${index}`),
    ...(organizationId ? [`${columns[0]} = ${values.add(organizationId)}`] : []),
    ...conditions({ equals: {}, where }, values),
  ];
  const organizationOf = ([id = '']: readonly string[]) => id;
  const pages = batch<readonly string[], Row[]>(ctx, info, columns.join(), (all) =>
    readTogether(ctx.db, all, organizationOf, async (parents, organizationId) => {
      const values = new Values();
      const selection = recordsOf(asked);
      const from = parentsOf(parents, values);
      const { select } = pageSelect(projection, selection, args, { after }, values);
      const rows = await ctx.db.query<Row & { parent: number }>(
        `select parent.number::int as parent, page.* from ${from}
         cross join lateral (${select(below(values, organizationId))}) page order by parent.number, page."updatedAt", page."id"`,
        values.all,
      );
      const found: Row[][] = parents.map(() => []);
      for (const row of rows) found[row.parent - 1]?.push(row);
      return found;
    }),
  );
  const counts = batch<readonly string[], number>(ctx, info, `count by ${columns}`, (all) =>
    readTogether(ctx.db, all, organizationOf, async (parents, organizationId) => {
      const values = new Values();
      const from = parentsOf(parents, values);
      const count = countOf(projection, args, below(values, organizationId), values);
      const rows = await ctx.db.query<{ total: number }>(
        `select ${count}::int as total from ${from} order by parent.number`,
        values.all,
      );
      return rows.map(({ total }) => total);
    }),
  );
  const key = Object.values(keys);
  const [rows, totalCount] = await Promise.all([
    isPageAsked(asked) ? pages.load(key) : [],
    asked.has('totalCount') ? counts.load(key) : 0,
  ]);
  return toConnection(identity, args, rows, place, totalCount);
}
