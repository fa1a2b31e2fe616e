/** Queries that walk every relation of the schema from one root field. */
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { scopesOf } from '../../../src/graph/access.js';
import { schema } from '../../../src/graph/schema.js';

interface Node {
  readonly type: GraphQLCompositeType;
  readonly depth: number;
  readonly below: Map<
    string,
    { readonly field: GraphQLField<unknown, unknown>; readonly node: Node }
  >;
}

/** How far a walk goes, and how many records it takes from each list on its way. */
export interface Reach {
  readonly depth: number;
  readonly first: number;
}

/** Every relation, of a few records each. */
export const deep: Reach = { depth: 11, first: 4 };
/** All records of what is near. */
export const wide: Reach = { depth: 4, first: 200 };

const typesOf = (type: GraphQLCompositeType): readonly GraphQLObjectType[] =>
  isObjectType(type) ? [type] : schema.getPossibleTypes(type);
const isAskable = ({ args }: GraphQLField<unknown, unknown>) =>
  !args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

export interface Walk {
  readonly scopes: readonly string[];
  /** Relations to leave out, as `Type.field`. */
  readonly without: readonly string[];
  /** Gets those that are walked. */
  readonly walked: Set<string>;
}

/** Each relation once, where it is nearest to the root. */
function grow(
  root: GraphQLCompositeType,
  { scopes, without, walked }: Walk,
  deepest: number,
): Node {
  const top: Node = { type: root, depth: 1, below: new Map() };
  const seen = new Set<string>();
  for (const node of breadthFirst(top)) {
    if (node.depth >= deepest) continue;
    for (const type of typesOf(node.type)) {
      for (const field of Object.values(type.getFields())) {
        const below = getNamedType(field.type);
        const edge = `${type.name}.${field.name}`;
        const isOpen =
          (scopesOf(field) ?? []).every((scope) => scopes.includes(scope)) &&
          !without.includes(edge);
        if (!isCompositeType(below) || !isAskable(field) || !isOpen || seen.has(edge)) continue;
        seen.add(edge);
        walked.add(edge);
        node.below.set(edge, {
          field,
          node: { type: below, depth: node.depth + 1, below: new Map() },
        });
      }
    }
  }
  return top;
}

function* breadthFirst(top: Node): Generator<Node> {
  const queue = [top];
  for (const node of queue) {
    yield node;
    queue.push(...[...node.below.values()].map((each) => each.node));
  }
}

function print(node: Node, first: number): string {
  const fieldsOf = (type: GraphQLObjectType, alias: string) =>
    Object.values(type.getFields()).flatMap((field) => {
      const below = node.below.get(`${type.name}.${field.name}`);
      const isPlain = !isCompositeType(getNamedType(field.type)) && isAskable(field);
      if (!below && !isPlain) return [];
      const paging = field.args.some(({ name }) => name === 'first') ? `(first: ${first})` : '';
      return [
        `${alias && `${alias}_${field.name}: `}${field.name}${paging}${below ? ` ${print(below.node, first)}` : ''}`,
      ];
    });
  if (isObjectType(node.type)) return `{ __typename ${fieldsOf(node.type, '').join(' ')} }`;
  // Fields of different types must not share a name in the answer.
  return `{ __typename ${typesOf(node.type)
    .map((type) => `... on ${type.name} { ${fieldsOf(type, type.name).join(' ')} }`)
    .join(' ')} }`;
}

/**
 * The selection below a root field: all that can be reached with the scopes, every relation once.
 */
export const selectionFrom = (
  field: GraphQLField<unknown, unknown>,
  walk: Walk,
  { depth, first }: Reach,
): string => print(grow(getNamedType(field.type) as GraphQLCompositeType, walk, depth), first);

/** Every relation that the schema has, as `Type.field`. */
export const relations: readonly string[] = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) &&
  !type.name.startsWith('__') &&
  ![schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type)
    ? Object.values(type.getFields()).flatMap(({ name, type: of }) =>
        isCompositeType(getNamedType(of)) ? [`${type.name}.${name}`] : [],
      )
    : [],
);
