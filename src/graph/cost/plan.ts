/** What an operation can ask for at the most, found out from its document once: the rows of each list, and the values of each row. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { collect, type Source } from './collect.js';

/** How many elements a plain array is taken to have, where its field says nothing else: it has no page size to go by. */
const assumedSize = 10;

/** How many elements the array of a field is taken to have. */
export const AssumedSize = (size: number) => Extensions({ assumedSize: size });

export type Variables = Readonly<Record<string, unknown>>;

/** A page of a list, asked for by `first`. */
export interface Page {
  /** The field, in the client's names: `organization.members`. */
  readonly path: string;
  readonly first: (variables: Variables) => number;
}

/** Values that come once for each row above: fields and objects one, lists by themselves. */
export interface Rows {
  readonly fields: number;
  readonly lists: readonly List[];
}

export interface List extends Rows {
  readonly path: string;
  /** Whose rows these are; for a plain array, the number that it is taken to have. */
  readonly page: Page | number;
}

/** What the walk carries down. */
interface Walk extends Source {
  /** Values of variables that are left out. */
  readonly defaults: Variables;
}

export function planOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Rows {
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
  const root = schema.getRootType(operation.operation);
  return root ? rowsOf(root, [operation.selectionSet], [], undefined, { schema, fragments, defaults }) : { fields: 0, lists: [] };
}

/** @param page The page that the type is the connection of. */
function rowsOf(
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  path: readonly string[],
  page: Page | undefined,
  walk: Walk,
): Rows {
  if (isObjectType(type)) return rowsOfObject(type, sets, path, page, walk);
  // A row is of one of the types: that with the most fields, and whatever lists there may be.
  const each = walk.schema.getPossibleTypes(type).map((possible) => rowsOfObject(possible, sets, path, page, walk));
  return { fields: Math.max(...each.map(({ fields }) => fields)), lists: each.flatMap(({ lists }) => lists) };
}

function rowsOfObject(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  path: readonly string[],
  page: Page | undefined,
  walk: Walk,
): Rows {
  let fields = 0;
  const lists: List[] = [];
  for (const [key, nodes] of collect(type, sets, walk)) {
    const [node] = nodes;
    // What describes the schema has a size of its own, whatever there is to read.
    if (node.name.value === '__schema' || node.name.value === '__type') continue;
    fields++;
    const field = type.getFields()[node.name.value];
    const below = field && getNamedType(field.type);
    if (!field || !isCompositeType(below)) continue;
    const sub = [...path, key];
    const isList = isArray(field.type);
    const own = pageOf(field, node, sub, walk);
    const rows = rowsOf(
      below,
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      sub,
      isList ? undefined : own,
      walk,
    );
    if (isList) {
      const ofConnection = field.name === 'nodes' || field.name === 'edges' ? page : undefined;
      const assumed = (field.extensions.assumedSize as number | undefined) ?? assumedSize;
      lists.push({ ...rows, path: sub.join('.'), page: own ?? ofConnection ?? assumed });
    } else {
      fields += rows.fields;
      lists.push(...rows.lists);
    }
  }
  return { fields, lists };
}

const isArray = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type);

/** The page that a field stands for: one that takes `first`. */
function pageOf(field: GraphQLField<unknown, unknown>, node: FieldNode, path: readonly string[], walk: Walk): Page | undefined {
  const argument = field.args.find(({ name }) => name === 'first');
  if (!argument) return undefined;
  const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
  return { path: path.join('.'), first: sizeOf(given, Number(argument.defaultValue), walk) };
}

function sizeOf(given: ValueNode | undefined, otherwise: number, { defaults }: Walk): Page['first'] {
  if (given?.kind === Kind.INT) {
    const size = Number(given.value);
    return () => size;
  }
  if (given?.kind !== Kind.VARIABLE) return () => otherwise;
  const name = given.name.value;
  const size = Number(defaults[name] ?? otherwise);
  return (variables) => (typeof variables[name] === 'number' ? variables[name] : size);
}
