/**
 * Derives the maximum cost of an operation from its document: the rows of each list and the values
 * of each row.
 */
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
import { days, prices } from './prices.js';

/** Default assumed length of a plain array, which has no page size. */
const assumedSize = 10;

/** Sets the assumed length of a field's array. */
export const AssumedSize = (size: number) => Extensions({ assumedSize: size });

/** Marks a list with one row per value of a list argument. */
export const SizedBy = (argument: string) => Extensions({ sizedBy: argument });

/** Marks a list with at most one row per membership of the caller. */
export const OfMemberships = () => Extensions({ isOfMemberships: true });

export type Variables = Readonly<Record<string, unknown>>;

/** A page of a list, sized by `first`, or a list with one row per value of an argument. */
export interface Page {
  /** Path of the field in response names: `organization.members`. */
  readonly path: string;
  /** The argument that determines the number of rows. */
  readonly argument: string;
  readonly size: (variables: Variables) => number;
  /** Whether the number of the caller's memberships bounds it. */
  readonly isOfMemberships: boolean;
}

/** An argument that costs extra when it has a value. */
export interface Priced {
  readonly value: (variables: Variables) => unknown;
  readonly price: number;
  /** Whether the value is a day and only past days cost extra. */
  readonly isDay: boolean;
}

/** Values per parent row: fields and objects count one, lists are separate. */
export interface Rows {
  readonly fields: number;
  readonly priced: readonly Priced[];
  readonly lists: readonly List[];
}

export interface List extends Rows {
  readonly path: string;
  /** The page that bounds this list, or the assumed length of an unpaginated array. */
  readonly page: Page | number | 'memberships';
}

/** State of the traversal. */
interface Walk extends Source {
  /** Default values of omitted variables. */
  readonly defaults: ReadonlyMap<string, unknown>;
}

const none: Rows = { fields: 0, priced: [], lists: [] };

export function planOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Rows {
  const defaults = new Map(
    (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
    ),
  );
  const root = schema.getRootType(operation.operation);
  return root
    ? estimateRows(root, [operation.selectionSet], [], undefined, { schema, fragments, defaults })
    : none;
}

/** @param page The page of which the type is the connection. */
function estimateRows(
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  path: readonly string[],
  page: Page | undefined,
  walk: Walk,
): Rows {
  if (isObjectType(type)) return estimateObjectRows(type, sets, path, page, walk);
  // A row has one type of the union: count the type with the most fields, and the lists of all
  // types.
  const each = walk.schema
    .getPossibleTypes(type)
    .map((possible) => estimateObjectRows(possible, sets, path, page, walk));
  return {
    fields: Math.max(...each.map(({ fields }) => fields)),
    priced: each.flatMap(({ priced }) => priced),
    lists: each.flatMap(({ lists }) => lists),
  };
}

function estimateObjectRows(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  path: readonly string[],
  page: Page | undefined,
  walk: Walk,
): Rows {
  let fields = 0;
  const priced: Priced[] = [];
  const lists: List[] = [];
  for (const [key, nodes] of collect(type, sets, walk)) {
    const [node] = nodes;
    // Introspection has a fixed size that does not depend on data.
    if (node.name.value === '__schema' || node.name.value === '__type') continue;
    fields++;
    const field = type.getFields()[node.name.value];
    const below = field && getNamedType(field.type);
    const price = prices[`${type.name}.${node.name.value}`];
    fields += price?.always ?? 0;
    priced.push(...pricedOf(node, price?.arguments));
    if (!field || !isCompositeType(below)) continue;
    const sub = [...path, key];
    const isList = isArray(field.type);
    const own = pageOf(field, node, sub, walk);
    const rows = estimateRows(
      below,
      nodes.flatMap(({ selectionSet }) => selectionSet ?? []),
      sub,
      isList ? undefined : own,
      walk,
    );
    if (isList) {
      const ofConnection = field.name === 'nodes' || field.name === 'edges' ? page : undefined;
      const assumed = isOfMemberships(field)
        ? 'memberships'
        : ((field.extensions.assumedSize as number | undefined) ?? assumedSize);
      lists.push({ ...rows, path: sub.join('.'), page: own ?? ofConnection ?? assumed });
    } else {
      fields += rows.fields;
      priced.push(...rows.priced);
      lists.push(...rows.lists);
    }
  }
  return { fields, priced, lists };
}

const pricedOf = (
  { arguments: given = [] }: FieldNode,
  ofArguments: Readonly<Record<string, number>> = {},
): Priced[] =>
  Object.entries(ofArguments).flatMap(([argument, price]) => {
    const node = given.find(({ name }) => name.value === argument)?.value;
    return node
      ? [
          {
            value: (variables) => valueFromASTUntyped(node, variables),
            price,
            isDay: days.has(argument),
          },
        ]
      : [];
  });

const isOfMemberships = ({ extensions }: GraphQLField<unknown, unknown>): boolean =>
  extensions.isOfMemberships === true;

const isArray = (type: GraphQLOutputType): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type);

/** The page of a field that takes `first` or an argument of {@link SizedBy}. */
function pageOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  path: readonly string[],
  walk: Walk,
): Page | undefined {
  const sizedBy = field.extensions.sizedBy as string | undefined;
  const argument = field.args.find(({ name }) => name === (sizedBy ?? 'first'));
  if (!argument) return undefined;
  const given = node.arguments?.find(({ name }) => name.value === argument.name)?.value;
  return {
    path: path.join('.'),
    argument: argument.name,
    size: sizedBy ? lengthOf(given, walk) : sizeOf(given, Number(argument.defaultValue), walk),
    isOfMemberships: isOfMemberships(field),
  };
}

/** The length of a list argument. A single value is a list of one. */
function lengthOf(given: ValueNode | undefined, { defaults }: Walk): Page['size'] {
  const length = (value: unknown): number => (Array.isArray(value) ? value.length : 1);
  if (given?.kind === Kind.LIST) {
    const { values } = given;
    return () => values.length;
  }
  const variable = given?.kind === Kind.VARIABLE ? given.name.value : '';
  return (variables) => length(variables[variable] ?? defaults.get(variable));
}

function sizeOf(given: ValueNode | undefined, otherwise: number, { defaults }: Walk): Page['size'] {
  if (given?.kind === Kind.INT) {
    const size = Number(given.value);
    return () => size;
  }
  if (given?.kind !== Kind.VARIABLE) return () => otherwise;
  const name = given.name.value;
  const size = Number(defaults.get(name) ?? otherwise);
  return (variables) => (typeof variables[name] === 'number' ? variables[name] : size);
}
