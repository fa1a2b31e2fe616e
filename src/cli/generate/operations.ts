/**
 * Generates a client's operations as a TypeScript module: each document with the types of its
 * variables and its result, from the schema.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedInputType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
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

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * @param text Named operations and fragments.
 * @param origin The files that have the operations, and the module that declares `Operation`.
 * @throws When one has a field that is not in the schema.
 */
export function writeOperations(
  schema: GraphQLSchema,
  text: string,
  origin: { readonly files: string; readonly module: string },
): string {
  const { definitions } = parse(text);
  const fragments: Fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [],
    ),
  );
  const operations = definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => writeOperation(schema, definition, fragments));
  const head = `/** Made from ${origin.files} and the schema by \`npm run generate\`. */
import type { Operation } from '${origin.module}';
`;
  return [head, ...operations].join('\n');
}

function writeOperation(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): string {
  const name = operation.name?.value;
  if (!name) throw new Error('The operations of a client have names.');
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}.`);
  const variables = (operation.variableDefinitions ?? []).map(({ variable, type }) => {
    const given = typeFromAST(schema, type as never) as GraphQLType;
    return `  readonly ${variable.name.value}${isNonNullType(given) ? '' : '?'}: ${typeOf(given, inputOf)};\n`;
  });
  return `export interface ${name}Variables {\n${variables.join('')}}

export type ${name}Data = ${answerOf(schema, root, selectionsOf(operation, fragments))};

export const ${name}: Operation<${name}Variables, ${name}Data> = {
  name: '${name}',
  text: \`${textOf(operation, fragments)}\`,
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

/** A field, or the fields of a member of a union. */
type Selected =
  | { readonly field: FieldNode; readonly inner: readonly Selected[] }
  | { readonly on: string; readonly inner: readonly Selected[] };

/** The selections with the fields of fragments in place of their names. */
const selectionsOf = (
  { selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined },
  fragments: Fragments,
): Selected[] =>
  (selectionSet?.selections ?? []).map((selection) => {
    if (selection.kind === Kind.FIELD)
      return { field: selection, inner: selectionsOf(selection, fragments) };
    const fragment =
      selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    const on = fragment?.typeCondition?.name.value;
    if (!fragment || !on) throw new Error(`There is no fragment for ${print(selection)}.`);
    return { on, inner: selectionsOf(fragment, fragments) };
  });

/** The operation, and the fragments that it uses. */
function textOf(operation: OperationDefinitionNode, fragments: Fragments): string {
  const used = new Map<string, string>();
  const add = (text: string) => {
    for (const [, name = ''] of text.matchAll(/\.\.\.(\w+)/g)) {
      const fragment = fragments.get(name);
      if (!fragment || used.has(name)) continue;
      used.set(name, print(fragment));
      add(print(fragment));
    }
  };
  add(print(operation));
  return [print(operation), ...used.values()].join('\n\n');
}

function answerOf(
  schema: GraphQLSchema,
  parent: GraphQLType,
  selected: readonly Selected[],
): string {
  if (!isAbstractType(parent)) return fieldsOf(schema, parent, [parent], selected);
  const types = schema.getPossibleTypes(parent);
  const named = types.filter(({ name }) =>
    selected.some((each) => 'on' in each && each.on === name),
  );
  const others = types.filter((type) => !named.includes(type));
  const branches = named.map((type) => fieldsOf(schema, type, [type], selected));
  if (others[0]) branches.push(fieldsOf(schema, others[0], others, selected));
  return branches.join(' | ');
}

/** The fields of an object type. @param types All types that the object can have. */
function fieldsOf(
  schema: GraphQLSchema,
  parent: GraphQLType,
  types: readonly GraphQLType[],
  selected: readonly Selected[],
): string {
  if (!isObjectType(parent)) throw new Error(`${parent} is no object type.`);
  const flat = (all: readonly Selected[]): { field: FieldNode; inner: readonly Selected[] }[] =>
    all.flatMap((each) => {
      if ('field' in each) return [each];
      return each.on === parent.name ? flat(each.inner) : [];
    });
  const fields = flat(selected).map(({ field: node, inner }) => {
    const key = (node.alias ?? node.name).value;
    if (node.name.value === '__typename')
      return `readonly ${key}: ${types.map((type) => `'${type}'`).join(' | ')}`;
    const field = parent.getFields()[node.name.value];
    if (!field) throw new Error(`${parent} has no such field: ${print(node)}`);
    const type = (each: GraphQLType) =>
      inner.length > 0 ? answerOf(schema, each, inner) : leafOf(each);
    return `readonly ${key}: ${typeOf(field.type, type)}`;
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
