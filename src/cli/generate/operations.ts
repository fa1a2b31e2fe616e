/**
 * Generates a client's operations as a TypeScript module: each document with the types of its
 * variables and its result, from the schema.
 */
import {
  type GraphQLNamedInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';

const head = `/** Made from operations/*.graphql and the schema by \`npm run generate\`. */
import type { Operation } from './api.js';
`;

/**
 * @param text Named queries that contain only fields and aliases.
 * @throws When one has a fragment or a field that is not in the schema.
 */
export function writeOperations(schema: GraphQLSchema, text: string): string {
  const operations = parse(text).definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name)
      throw new Error('A client has named operations and nothing else.');
    return writeOperation(schema, definition, definition.name.value);
  });
  return [head, ...operations].join('\n');
}

function writeOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  name: string,
): string {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const variables = (operation.variableDefinitions ?? []).map(({ variable, type }) => {
    const given = typeFromAST(schema, type as never) as GraphQLType;
    return `  readonly ${variable.name.value}${isNonNullType(given) ? '' : '?'}: ${typeOf(given, inputOf)};\n`;
  });
  return `export interface ${name}Variables {\n${variables.join('')}}

export type ${name}Data = ${answerOf(root, operation.selectionSet)};

export const ${name}: Operation<${name}Variables, ${name}Data> = {
  name: '${name}',
  text: \`${print(operation)}\`,
};
`;
}

/** Renders a type with its lists and nulls. `inner` renders the named type. */
function typeOf<Named>(type: GraphQLType, inner: (type: Named) => string): string {
  if (!isNonNullType(type)) return `${bare(type, inner)} | null`;
  return bare(type.ofType, inner);
}

function bare<Named>(type: GraphQLType, inner: (type: Named) => string): string {
  return isListType(type)
    ? `readonly (${typeOf(type.ofType, inner)})[]`
    : inner(getNamedType(type) as Named);
}

function answerOf(parent: GraphQLOutputType, { selections }: SelectionSetNode): string {
  if (!isObjectType(parent)) throw new Error(`${parent} is no object type.`);
  const fields = selections.map((selection) => {
    const field =
      selection.kind === Kind.FIELD ? parent.getFields()[selection.name.value] : undefined;
    if (selection.kind !== Kind.FIELD || !field)
      throw new Error(
        `${parent} has no such field, or a fragment stands there: ${print(selection)}`,
      );
    const { selectionSet } = selection;
    const inner = (type: GraphQLOutputType) =>
      selectionSet ? answerOf(type, selectionSet) : leafOf(type);
    return `readonly ${(selection.alias ?? selection.name).value}: ${typeOf(field.type, inner)}`;
  });
  return `{ ${fields.join('; ')} }`;
}

function inputOf(type: GraphQLNamedInputType): string {
  if (!isInputObjectType(type)) return leafOf(type);
  const fields = Object.values(type.getFields()).map(
    (field) =>
      `readonly ${field.name}${isNonNullType(field.type) ? '' : '?'}: ${typeOf(field.type, inputOf)}`,
  );
  return `{ ${fields.join('; ')} }`;
}

const builtIn: Readonly<Record<string, string>> = {
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  String: 'string',
  ID: 'string',
};

function leafOf(type: GraphQLType): string {
  if (isEnumType(type))
    return `(${type
      .getValues()
      .map(({ name }) => `'${name}'`)
      .join(' | ')})`;
  const named = getNamedType(type);
  const { jsonSchema } = named.extensions as { jsonSchema?: { type?: string } };
  return builtIn[named.name] ?? (jsonSchema?.type === 'integer' ? 'number' : 'string');
}
