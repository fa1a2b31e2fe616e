/**
 * Rules for blank text and null, shared by GraphQL and REST, variables and literals. In an input
 * object, blank text is null where null is allowed. As an argument it is rejected, because a
 * silently ignored filter would return everything.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
} from 'graphql';
import { invalid, type Problems } from '../../errors.js';
import { inputPrototypes } from '../type-graphql-internals.js';
import { ruleOf } from './shown-types.js';

type Place = GraphQLArgument | GraphQLInputField;

/** Input class prototypes, with their properties that must not be null. */
const marked = new Map<object, Set<PropertyKey>>();

/** Marks an input field that may be omitted but must not be null. */
export const NotNull = (): PropertyDecorator => (prototype, property) => {
  marked.set(prototype, (marked.get(prototype) ?? new Set()).add(property));
};

const isMarked = (prototype: object | null, property: string): boolean =>
  prototype !== null &&
  (marked.get(prototype)?.has(property) || isMarked(Object.getPrototypeOf(prototype), property));

/**
 * Copies the marks of {@link NotNull} to the schema. Type-GraphQL loses field extensions when a
 * class is extended.
 */
export function markNotNull(schema: GraphQLSchema): void {
  for (const [type, prototype] of inputPrototypes(schema))
    for (const field of Object.values(type.getFields()))
      if (isMarked(prototype, field.name))
        field.extensions = { ...field.extensions, notNull: true };
}

export const mayBeNull = ({ type, extensions }: Place): boolean =>
  !isNonNullType(type) && !extensions.notNull;

/** Minimum length of a text scalar; undefined for other types. */
const minOf = (type: GraphQLInputType): number | undefined => {
  const plain = getNullableType(type);
  return isScalarType(plain) ? (plain.extensions.min as number | undefined) : undefined;
};

/** Whether blank text is equivalent to null in this place. */
export const blankIsNull = (place: Place, isArgument = false): boolean => {
  const min = minOf(ruleOf(place));
  return min !== undefined && mayBeNull(place) && !(isArgument && min > 0);
};

/**
 * Applies the rules to the value of a property or argument.
 * @param addProblem Receives the problem, if there is one.
 */
export function settle(
  place: Place,
  value: unknown,
  addProblem: (sentence: string) => void,
  isArgument = false,
): unknown {
  if (value === null && !mayBeNull(place)) return addProblem('must not be null');
  if (typeof value !== 'string' || value.trim() !== '') return value;
  const min = minOf(ruleOf(place));
  if (min === undefined) return value;
  if (blankIsNull(place, isArgument)) return null;
  return min > 0 ? addProblem('must not be empty') : '';
}

type Settler = (value: unknown, path: readonly (string | number)[], problems: Problems) => unknown;

/** Returns a function that applies the rules inside a value; undefined when no rule applies. */
function settlerOf(type: GraphQLInputType): Settler | undefined {
  const plain = getNullableType(type);
  if (isListType(plain)) {
    const each = settlerOf(plain.ofType);
    return (
      each &&
      ((values, path, problems) =>
        (values as unknown[] | null)?.map((value, index) =>
          each(value, [...path, index], problems),
        ))
    );
  }
  if (!isInputObjectType(plain)) return undefined;
  const fields = Object.values(plain.getFields())
    .map((field) => ({ field, below: settlerOf(field.type) }))
    .filter(
      ({ field, below }) => below || field.extensions.notNull || minOf(field.type) !== undefined,
    );
  if (fields.length === 0) return undefined;
  return (value, path, problems) => {
    if (typeof value !== 'object' || value === null) return value;
    const settled: Record<string, unknown> = { ...value };
    for (const { field, below } of fields) {
      const { name } = field;
      if (settled[name] === undefined) continue;
      const read = settle(field, settled[name], (sentence) => {
        problems[[...path, name].join('.')] = [sentence];
      });
      settled[name] = below ? below(read, [...path, name], problems) : read;
    }
    return settled;
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Applies the rules to the arguments of a field.
 * @throws {ApiError} `validation_error`.
 */
export type ArgumentsSettler = (given: Arguments) => Arguments;

/**
 * Returns a function that finds the rules for a field of a document.
 * @returns Undefined for a field without text or input objects.
 */
export function argumentsSettler({
  args,
}: Pick<GraphQLField<unknown, unknown>, 'args'>):
  | ((info: GraphQLResolveInfo) => ArgumentsSettler | undefined)
  | undefined {
  const judged = args
    .map((place) => ({ place, below: settlerOf(place.type) }))
    .filter(({ place, below }) => below || minOf(ruleOf(place)) !== undefined);
  if (judged.length === 0) return undefined;
  return (info) => {
    const open = judged.filter(({ place }) => !isSettled(place, info));
    return open.length > 0 ? (given) => settleAll(open, given) : undefined;
  };
}

/** Whether `readVariables` applies the rules: the value is a variable of input objects. */
function isSettled(
  { name, type }: GraphQLArgument,
  { fieldNodes, operation }: GraphQLResolveInfo,
): boolean {
  const given = fieldNodes[0]?.arguments?.find((each) => each.name.value === name)?.value;
  if (given?.kind !== Kind.VARIABLE || !isInputObjectType(getNamedType(type))) return false;
  const variable = operation.variableDefinitions?.find(
    (each) => each.variable.name.value === given.name.value,
  );
  // A default is used as it is.
  return variable !== undefined && variable.defaultValue === undefined;
}

function settleAll(
  judged: readonly { readonly place: GraphQLArgument; readonly below: Settler | undefined }[],
  given: Arguments,
): Arguments {
  const problems: Problems = Object.create(null);
  const settled: Record<string, unknown> = { ...given };
  for (const { place, below } of judged) {
    const { name } = place;
    if (settled[name] === undefined) continue;
    const read = settle(
      place,
      settled[name],
      (sentence) => {
        problems[name] = [sentence];
      },
      true,
    );
    // As in input.ts, paths of problems are relative to the input object.
    settled[name] = below
      ? below(read, isListType(getNullableType(place.type)) ? [name] : [], problems)
      : read;
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return settled;
}
