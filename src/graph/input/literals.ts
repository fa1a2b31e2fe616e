/** Applies the rules and messages of variables to literals in a document. */
import {
  type ASTNode,
  type ASTVisitor,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type ListValueNode,
  type ObjectValueNode,
  typeFromAST,
  type ValidationContext,
  type ValueNode,
} from 'graphql';
import type { Problems } from '../../errors.js';
import { settle } from './blank.js';
import { graphqlDialect } from './dialect.js';
import { ruleOf } from './shown-types.js';
import {
  addProblem,
  isFull,
  maxEntries,
  type Path,
  pathOf,
  sayEntries,
  sayEnum,
  sayScalar,
  sayUnknown,
  sentences,
} from './variables.js';

/** The problems of one argument or default. */
export class LiteralError extends GraphQLError {
  constructor(
    readonly problems: Problems,
    nodes: readonly ASTNode[],
  ) {
    super('invalid values', { nodes });
  }
}

/** Replaces graphql-js's ValuesOfCorrectTypeRule. */
export function LiteralValuesRule(context: ValidationContext): ASTVisitor {
  const check = (type: GraphQLInputType, name: string, value: ValueNode): void => {
    const found: Found = { problems: Object.create(null), nodes: [] };
    readLiteral(type, value, pathOf({ name, type }), found);
    if (found.nodes.length > 0) context.reportError(new LiteralError(found.problems, found.nodes));
  };
  return {
    Argument(node) {
      const argument = context.getArgument();
      if (argument) check(ruleOf(argument), node.name.value, node.value);
    },
    VariableDefinition({ variable, type: typeNode, defaultValue }) {
      const type = typeFromAST(context.getSchema(), typeNode);
      if (defaultValue && isInputType(type)) check(type, variable.name.value, defaultValue);
    },
  };
}

interface Found {
  readonly problems: Problems;
  readonly nodes: ASTNode[];
}

function add({ problems, nodes }: Found, path: Path, sentence: string, node: ASTNode): void {
  addProblem(problems, path, sentence);
  nodes.push(node);
}

/** VariablesInAllowedPositionRule checks the type of a variable inside a value. */
function readLiteral(type: GraphQLInputType, node: ValueNode, path: Path, found: Found): void {
  if (node.kind === Kind.VARIABLE || isFull(found.problems)) return;
  if (isNonNullType(type)) {
    if (node.kind === Kind.NULL) add(found, path, sentences.null, node);
    else readLiteral(type.ofType, node, path, found);
  } else if (node.kind === Kind.NULL) {
    return;
  } else if (isListType(type)) {
    if (node.kind === Kind.LIST) readList(type.ofType, node, path, found);
    else readListOfOne(type.ofType, node, path, found);
  } else if (isInputObjectType(type)) {
    if (node.kind === Kind.OBJECT) readObject(Object.values(type.getFields()), node, path, found);
    else add(found, path, sentences.object, node);
  } else {
    const sentence = sentenceFor(type, node);
    if (sentence) add(found, path, sentence, node);
  }
}

function readList(type: GraphQLInputType, node: ListValueNode, path: Path, found: Found): void {
  if (node.values.length > maxEntries) add(found, path, sayEntries(), node);
  else
    for (const [index, each] of node.values.entries())
      readLiteral(type, each, [...path, index], found);
}

function readListOfOne(type: GraphQLInputType, node: ValueNode, path: Path, found: Found): void {
  const own: Found = { problems: Object.create(null), nodes: [] };
  readLiteral(type, node, [], own);
  if (own.nodes.length > 0) add(found, path, sentences.array, node);
}

function readObject(
  fields: Parameters<typeof sayUnknown>[0],
  node: ObjectValueNode,
  path: Path,
  found: Found,
): void {
  const given = new Map(node.fields.map((each) => [each.name.value, each]));
  for (const field of fields) {
    const { name, type, defaultValue } = field;
    const each = given.get(name);
    if (each) readProperty(field, each.value, [...path, name], found);
    else if (isNonNullType(type) && defaultValue === undefined)
      add(found, [...path, name], sentences.required, node);
    given.delete(name);
  }
  for (const [name, each] of given) {
    if (isFull(found.problems)) return;
    add(found, [...path, name], sayUnknown(fields, graphqlDialect), each);
  }
}

/** As in variables, the property decides about null and blank text. */
function readProperty(field: GraphQLInputField, node: ValueNode, path: Path, found: Found): void {
  const before = found.nodes.length;
  readLiteral(field.type, node, path, found);
  if (found.nodes.length > before) return;
  const value = node.kind === Kind.NULL ? null : node.kind === Kind.STRING ? node.value : undefined;
  if (value !== undefined) settle(field, value, (sentence) => add(found, path, sentence, node));
}

/** Describes an invalid enum or scalar value. */
function sentenceFor(type: GraphQLLeafType, node: ValueNode): string | undefined {
  if (isEnumType(type))
    return node.kind === Kind.ENUM && type.getValue(node.value)
      ? undefined
      : sayEnum(type, graphqlDialect);
  try {
    type.parseLiteral(node);
    return undefined;
  } catch (error) {
    return sayScalar(type, error);
  }
}
