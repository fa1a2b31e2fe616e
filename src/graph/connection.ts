/** Relay-style connections: the types that every list is made of, and their arguments. */
import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { encoderOf, type ListIdentity, type Position } from './cursor.js';
import { Cursor, DateTime, PageSize } from './scalars.js';

export const defaultPageSize = 50;

@ArgsType()
export class PageArgs {
  @Field(() => PageSize, { defaultValue: defaultPageSize, description: 'The largest number of records that the page may have.' })
  first: number = defaultPageSize;

  @Field(() => Cursor, { nullable: true, description: 'Only what follows this position: the `nextCursor` of a page of the same list.' })
  after?: string | null;
}

@ArgsType()
export class SyncArgs extends PageArgs {
  @Field(() => DateTime, { nullable: true, description: 'Only records whose `updatedAt` is later than this instant.' })
  updatedAfter?: string | null;
}

@ObjectType({ description: 'Where a page stands in its list.', simpleResolvers: true })
export class PageInfo {
  @Field({ description: 'Whether records follow this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'Whether the page was asked for by a position, so that others may come before it.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'The position of the first record of the page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'The position of the last record of the page.' })
  endCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'What to send as `after` for the next page; null on the last page.' })
  nextCursor!: string | null;
}

export interface Connection<Node> {
  nodes: Node[];
  edges: { cursor: string; node: Node }[];
  pageInfo: PageInfo;
  /** Of lists that can be counted. */
  totalCount?: number | undefined;
}

/**
 * The connection type of a record type: call it once per type.
 * @param isCounted Whether the list says how many records it has in all.
 */
export function connectionOf<Node extends object>(type: ClassType<Node>, name: string, isCounted = false): ClassType<Connection<Node>> {
  @ObjectType(`${name}Edge`, { description: `One ${name}, with its position in the list.`, simpleResolvers: true })
  class Edge {
    @Field({ description: 'The position of the record in the list.' })
    cursor!: string;

    @Field(() => type, { description: 'The record.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${name} records.`, simpleResolvers: true })
  class PageOf {
    @Field(() => [type], { description: 'The records of the page.' })
    nodes!: Node[];

    @Field(() => [Edge], { description: 'The records of the page, each with its position.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Where the page stands in the list.' })
    pageInfo!: PageInfo;
  }
  const count = {
    description: 'How many records the list has in all, with the same filters, whatever the page. Counted only when asked for.',
  };
  if (isCounted) Field(() => Int, count)(PageOf.prototype, 'totalCount');
  return PageOf;
}

/**
 * What most don't ask for is found out where it is read. By accessors of a class: those of an object literal V8 makes anew for each object, among its
 * old objects, and the rows that they lead to would live until its next full collection (a fifth of a list's time went there).
 */
class Page<Row> implements Connection<Row> {
  readonly nodes: Row[];
  readonly #hasNextPage: boolean;

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
    const encode = encoderOf(this.list());
    const cursorOf = (row: Row | undefined) => (row === undefined ? null : encode(this.positionOf(row)));
    const endCursor = cursorOf(this.nodes.at(-1));
    return {
      hasNextPage: this.#hasNextPage,
      hasPreviousPage: Boolean(this.args.after),
      startCursor: cursorOf(this.nodes[0]),
      endCursor,
      nextCursor: this.#hasNextPage ? endCursor : null,
    };
  }
}

/**
 * The page of rows that were read with one more than asked for.
 * @param list What tells the list from others.
 * @param positionOf Where a row stands in the order of the list.
 */
export const toConnection = <Row>(
  list: () => ListIdentity,
  args: PageArgs,
  rows: Row[],
  positionOf: (row: Row) => Position,
  totalCount?: number,
): Connection<Row> => new Page(list, args, rows, positionOf, totalCount);
