/**
 * Walks of lists that are filtered and in any order, next to what a plain filter and sort of all
 * rows gives.
 */
import type { GraphClient } from '../../support/graph.js';

export interface OrderBy {
  readonly field: string;
  readonly direction?: 'ASC' | 'DESC';
}

export interface ListArguments {
  readonly orderBy?: OrderBy | undefined;
  readonly [filter: string]: unknown;
}

interface Row {
  readonly id: string;
}

/**
 * How a filtered and ordered list is asked for: its field, and the types of the arguments in use.
 */
export class OrderedList {
  constructor(
    readonly client: GraphClient,
    readonly field: string,
    readonly types: Readonly<Record<string, string>>,
  ) {}

  query(args: ListArguments, selection: string): string {
    const given = Object.keys(this.types).filter((name) => args[name] !== undefined);
    return `query (${given.map((name) => `$${name}: ${this.types[name]}`).join(', ')}) {
      list: ${this.field}(${given.map((name) => `${name}: $${name}`).join(', ')}) ${selection} }`;
  }

  /** Walks to the end. @returns The ids in the order in which they came, and the count. */
  async walk(
    args: ListArguments,
    first: number,
    between: () => Promise<void> = async () => {},
  ): Promise<{ ids: string[]; count: number }> {
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = { ...args, first, ...(after && { after }) };
      const selection =
        '{ nodes { id } edges { cursor } pageInfo { hasNextPage nextCursor endCursor } totalCount }';
      const { list } = await this.client.data(this.query(page, selection), page);
      ids.push(...list.nodes.map(({ id }: Row) => id));
      expect(list.pageInfo.hasNextPage).toBe(list.pageInfo.nextCursor !== null);
      expect(list.edges.at(-1)?.cursor ?? null).toBe(list.pageInfo.endCursor);
      if (list.pageInfo.hasNextPage) expect(list.nodes).toHaveLength(first);
      else return { ids, count: list.totalCount };
      after = list.pageInfo.nextCursor;
      await between();
    }
  }
}

/** By code point, as the database of the tests sorts text. */
export const compare = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

/** @param keyOf The value that the order is by: for no order, the stamp. */
export function sorted<Each extends Row>(
  rows: readonly Each[],
  keyOf: (row: Each) => string,
  direction: OrderBy['direction'] = 'ASC',
): Each[] {
  const inOrder = rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) || compare(a.id, b.id));
  return direction === 'DESC' ? inOrder.reverse() : inOrder;
}

/** Without the arguments that are left out. */
export const set = (args: Readonly<Record<string, unknown>>): ListArguments =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
