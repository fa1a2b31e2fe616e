/** Relay-style connection types and their arguments. */
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { Cursor, DateTime, PageSize } from '../../scalars/scalars.js';
import { encoderOf, type ListIdentity, type Position } from './cursor.js';

export const defaultPageSize = 50;

@ArgsType()
export class PageArgs {
  @Field(() => PageSize, {
    defaultValue: defaultPageSize,
    description: 'The maximum number of records on the page.',
  })
  first: number = defaultPageSize;

  @Field(() => Cursor, {
    nullable: true,
    description:
      'Returns records after this cursor: the `nextCursor` of the previous page, with the same filters.',
  })
  after?: string | null;
}

@ArgsType()
export class SyncArgs extends PageArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Returns only records whose `updatedAt` is after this time.',
  })
  updatedAfter?: string | null;
}

@ObjectType({ description: 'Pagination information of a page.', simpleResolvers: true })
export class PageInfo {
  @Field({ description: 'Whether more records follow this page.' })
  hasNextPage!: boolean;

  @Field({
    description: 'Whether the request had a cursor, so that records may precede this page.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first record on the page; null when the page is empty.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the last record on the page; null when the page is empty. Never null in `changes`.',
  })
  endCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The value of `after` for the next page; null on the last page.',
  })
  nextCursor!: string | null;
}

export interface Connection<Node> {
  nodes: Node[];
  edges: { cursor: string; node: Node }[];
  pageInfo: PageInfo;
  /** Present in lists with a total count. */
  totalCount?: number | undefined;
}

/**
 * Creates the connection type of a record type. Call it once per type.
 * @param isCounted Whether the list has a `totalCount`.
 */
export function connectionOf<Node extends object>(
  type: ClassType<Node>,
  name: string,
  isCounted = false,
): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, {
    description: `One ${name}, with its cursor.`,
    simpleResolvers: true,
  })
  class Edge {
    @Field({ description: 'The cursor of the record.' })
    cursor!: string;

    @Field(() => type, { description: 'The record.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, {
    description: `A page of a list of ${name} records.`,
    simpleResolvers: true,
  })
  class PageOf {
    @Field(() => [type], { description: 'The records on the page.' })
    nodes!: Node[];

    @Field(() => [Edge], { description: 'The records on the page, each with its cursor.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'The pagination information of the page.' })
    pageInfo!: PageInfo;
  }
  const count = {
    description:
      'The total number of records that match the filters, on all pages. Computed only when selected.',
  };
  if (isCounted) Field(() => Int, count)(PageOf.prototype, 'totalCount');
  return PageOf;
}

/**
 * Computes rarely selected fields lazily. The accessors belong to a class: V8 allocates those of an
 * object literal per object in old space, which kept rows alive until the next major GC (a fifth of
 * the time of a list).
 */
class Page<Row> implements Connection<Row>, PageInfo {
  readonly nodes: Row[];
  readonly #hasNextPage: boolean;
  #encode: ((position: Position) => string) | undefined;

  constructor(
    readonly list: () => ListIdentity,
    readonly args: PageArgs,
    rows: Row[],
    readonly positionOf: (row: Row) => Position,
    readonly totalCount: number | undefined,
  ) {
    this.#hasNextPage = rows.length > args.first;
    this.nodes = this.#hasNextPage ? rows.slice(0, args.first) : rows;
  }

  get edges() {
    const encode = encoderOf(this.list());
    return this.nodes.map((node) => ({ cursor: encode(this.positionOf(node)), node }));
  }

  get pageInfo() {
    return this;
  }

  get hasNextPage() {
    return this.#hasNextPage;
  }

  get hasPreviousPage() {
    return Boolean(this.args.after);
  }

  get startCursor() {
    return this.#cursorOf(this.nodes[0]);
  }

  get endCursor() {
    return this.#cursorOf(this.nodes.at(-1));
  }

  get nextCursor() {
    return this.#hasNextPage ? this.endCursor : null;
  }

  #cursorOf(row: Row | undefined): string | null {
    if (row === undefined) return null;
    this.#encode ??= encoderOf(this.list());
    return this.#encode(this.positionOf(row));
  }
}

/**
 * Creates a page from rows that were read with one more than requested.
 * @param list Identifies the list in cursors.
 * @param positionOf Returns the sort key of a row.
 */
export const toConnection = <Row>(
  list: () => ListIdentity,
  args: PageArgs,
  rows: Row[],
  positionOf: (row: Row) => Position,
  totalCount?: number,
): Connection<Row> => new Page(list, args, rows, positionOf, totalCount);
