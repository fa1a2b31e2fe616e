/**
 * Shows arguments under the built-in types that stock clients declare for their variables: `Int`
 * for the size of a page, `String` for a cursor. The scalar of the declaration still defines which
 * values are accepted, in literals and variables, and the JSON Schema of OpenAPI.
 */
import {
  type DefinitionNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLSchema,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Shown } from '../../scalars/scalars.js';

type Place = GraphQLArgument | GraphQLInputField;

/** The type that defines the accepted values of a place: its declared type. */
export const ruleOf = ({ type, extensions }: Pick<Place, 'type' | 'extensions'>) =>
  (extensions.declaredType as GraphQLInputType | undefined) ?? type;

/** The description of an argument without the rule of its shown type. */
export const ownDescription = ({ description, extensions }: GraphQLArgument) =>
  (extensions.ownDescription as string | undefined) ?? description;

const shownOf = (type: GraphQLType): Shown | undefined => {
  const named = getNamedType(type);
  return isScalarType(named) ? (named.extensions.shown as Shown | undefined) : undefined;
};

/** The type with another scalar in it. */
const withScalar = (type: GraphQLInputType, scalar: GraphQLScalarType): GraphQLInputType =>
  isNonNullType(type) ? new GraphQLNonNull(scalar) : scalar;

/**
 * Replaces the scalars that have a shown type by it, in all arguments.
 * @returns The schema without these scalars.
 * @throws {Error} when one is used elsewhere than as an argument.
 */
export function showBuiltInTypes(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (shownOf(field.type)) throw new Error(`${type.name}.${field.name} is not an argument.`);
      for (const argument of 'args' in field ? field.args : []) show(argument);
    }
  }
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, types: config.types.filter((type) => !shownOf(type)) });
}

function show(argument: GraphQLArgument): void {
  const { type, description, extensions } = argument;
  const shown = shownOf(type);
  if (!shown) return;
  if (isListType(getNullableType(type))) throw new Error(`${argument.name} is a list.`);
  argument.extensions = { ...extensions, declaredType: type, ownDescription: description };
  argument.type = withScalar(type, shown.type);
  argument.description = `${description} ${shown.rule}`;
}

/**
 * The rules of an operation's variables that are sent as arguments with a shown type, by name of
 * the variable.
 */
export function rulesOfVariables(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): ReadonlyMap<string, GraphQLScalarType> {
  const rules = new Map<string, GraphQLScalarType>();
  if (!operation.variableDefinitions?.length) return rules;
  const info = new TypeInfo(schema);
  const spread = new Set<string>();
  const collect = (definition: DefinitionNode): void => {
    visit(
      definition,
      visitWithTypeInfo(info, {
        Argument({ value }) {
          const argument = info.getArgument();
          if (!argument || value.kind !== Kind.VARIABLE) return;
          const rule = getNamedType(ruleOf(argument));
          if (isScalarType(rule) && shownOf(rule)) rules.set(value.name.value, rule);
        },
        FragmentSpread({ name }) {
          spread.add(name.value);
        },
      }),
    );
  };
  collect(operation);
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  // A set iterates over what is added meanwhile: fragments within fragments.
  for (const name of spread) {
    const fragment = fragments.get(name);
    if (fragment) collect(fragment);
  }
  return rules;
}

/** The type of a variable with the rule of the argument that it is sent as. */
export const ruledType = (
  type: GraphQLInputType,
  rule: GraphQLScalarType | undefined,
): GraphQLInputType => (rule ? withScalar(type, rule) : type);
