/**
 * Reads input by the types of the schema, for GraphQL and REST. GraphQL names are camelCase and
 * enum values upper-case; REST names are snake_case and enum values as in the specification.
 * Problems have paths in the names of the request.
 */
import {
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLScalarType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type SourceLocation,
} from 'graphql';
import type { Problems } from '../../errors.js';
import { settle } from './blank.js';
import type { Dialect } from './dialect.js';
import { LocatedError } from './document-errors.js';

/** A variable of an operation. */
export interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** Of {@link pathOf}. */
  readonly path: Path;
  /** The JSON value; undefined when there is none. */
  readonly defaultValue: unknown;
  /** Its definition in the document; undefined for REST operations. */
  readonly locations: readonly SourceLocation[];
}

/**
 * Paths of problems are relative to the input object, as in services; problems of other variables
 * have the variable's name.
 */
export const pathOf = ({ name, type }: Pick<Variable, 'name' | 'type'>): Path =>
  isInputObjectType(getNullableType(type)) ? [] : [name];

/**
 * Reads the variables of an operation.
 * @param given Values by name. The caller rejects unknown names.
 * @throws {ApiError} `validation_error` with every problem found.
 */
export function readVariables(
  variables: readonly Variable[],
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): Record<string, unknown> {
  const problems: Problems = Object.create(null);
  const locations: SourceLocation[] = [];
  const read: Record<string, unknown> = Object.create(null);
  for (const { name, type, path, defaultValue, locations: own } of variables) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined && defaultValue !== undefined) read[name] = defaultValue;
    else if (value !== undefined || isNonNullType(type)) {
      const found: Problems = Object.create(null);
      if (value === undefined) addProblem(found, [name], sentences.required);
      else read[name] = readValue(type, value, path, dialect, found);
      let isAdded = false;
      for (const at in found) {
        problems[at] = [...(problems[at] ?? []), ...(found[at] ?? [])];
        isAdded = true;
      }
      if (!isAdded) continue;
      locations.push(...own);
      if (isFull(problems)) break;
    }
  }
  if (Object.keys(problems).length > 0)
    throw new LocatedError('validation_error', undefined, problems, locations);
  return read;
}

export type Path = readonly (string | number)[];

/** Maximum number of reported problems, so that the error is not longer than the request. */
const maxProblems = 100;
/** Maximum length of any list; most operations allow less. */
export const maxEntries = 1000;
export const isFull = (problems: Problems): boolean => Object.keys(problems).length >= maxProblems;

export function addProblem(problems: Problems, path: Path, sentence: string): undefined {
  const key = path.join('.') || 'body';
  problems[key] = [...(problems[key] ?? []), sentence];
}

function readValue(
  type: GraphQLInputType,
  value: unknown,
  path: Path,
  dialect: Dialect,
  problems: Problems,
): unknown {
  if (isNonNullType(type)) {
    return value === null
      ? addProblem(problems, path, sentences.null)
      : readValue(type.ofType, value, path, dialect, problems);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (Array.isArray(value)) return readList(type.ofType, value, path, dialect, problems);
    return (
      readListOfOne(type.ofType, value, dialect) ?? addProblem(problems, path, sentences.array)
    );
  }
  if (isInputObjectType(type)) return readObject(type, value, path, dialect, problems);
  return readLeaf(type, value, path, dialect, problems);
}

function readList(
  type: GraphQLInputType,
  values: readonly unknown[],
  path: Path,
  dialect: Dialect,
  problems: Problems,
): unknown {
  if (values.length > maxEntries) return addProblem(problems, path, sayEntries());
  const read: unknown[] = [];
  for (const [index, each] of values.entries()) {
    if (isFull(problems)) break;
    read.push(readValue(type, each, [...path, index], dialect, problems));
  }
  return read;
}

/** Coerces a single value to a list of one, where the dialect allows it and the value is valid. */
function readListOfOne(
  type: GraphQLInputType,
  value: unknown,
  dialect: Dialect,
): unknown[] | undefined {
  const problems: Problems = Object.create(null);
  const list = dialect.listsOfOne ? [readValue(type, value, [], dialect, problems)] : undefined;
  return Object.keys(problems).length === 0 ? list : undefined;
}

function readObject(
  type: GraphQLInputObjectType,
  value: unknown,
  path: Path,
  dialect: Dialect,
  problems: Problems,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return addProblem(problems, path, sentences.object);
  const given = value as Readonly<Record<string, unknown>>;
  const fields = fieldsOf(type, dialect);
  const read: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const each = Object.hasOwn(given, name) ? given[name] : undefined;
    if (each === undefined) {
      // The compiled executor applies no defaults inside variables.
      if (field.defaultValue !== undefined) read[field.name] = field.defaultValue;
      else if (isNonNullType(field.type)) addProblem(problems, [...path, name], sentences.required);
    } else {
      const value = readValue(field.type, each, [...path, name], dialect, problems);
      const isBlank = value === null || (typeof value === 'string' && value.trim() === '');
      read[field.name] = isBlank
        ? settle(field, value, (sentence) => addProblem(problems, [...path, name], sentence))
        : value;
    }
  }
  for (const name of Object.keys(given)) {
    if (fields.has(name)) continue;
    if (isFull(problems)) break;
    addProblem(problems, [...path, name], sayUnknown([...fields.values()], dialect));
  }
  return read;
}

function fieldsOf(
  type: GraphQLInputObjectType,
  { fields, wireName }: Dialect,
): ReadonlyMap<string, GraphQLInputField> {
  let found = fields.get(type);
  if (!found) {
    found = new Map(Object.values(type.getFields()).map((each) => [wireName(each.name), each]));
    fields.set(type, found);
  }
  return found;
}

function readLeaf(
  type: GraphQLLeafType,
  value: unknown,
  path: Path,
  dialect: Dialect,
  problems: Problems,
): unknown {
  if (isEnumType(type)) {
    const found = type.getValues().find((each) => spellingOf(each, dialect) === value);
    return found ? found.name : addProblem(problems, path, sayEnum(type, dialect));
  }
  try {
    // The compiled executor knows `ID`, `Int` and `String` by name and does not call their parsers.
    return type.parseValue(value);
  } catch (error) {
    return addProblem(problems, path, sayScalar(type, error));
  }
}

const spellingOf = (each: { name: string; value: string }, { specifiedEnums }: Dialect): string =>
  specifiedEnums ? each.value : each.name;

/** Describes the problem of a value, with the same words in every place. */
export const sentences = {
  null: 'must not be null',
  required: 'is required',
  array: 'must be an array',
  object: 'must be an object',
} as const;

export const sayEntries = (): string => `must have at most ${maxEntries} entries`;

export const sayUnknown = (fields: readonly GraphQLInputField[], dialect: Dialect): string =>
  `is not a known property; known are ${fields.map(({ name }) => dialect.wireName(name)).join(', ')}`;

export const sayEnum = (type: GraphQLEnumType, dialect: Dialect): string =>
  `must be one of ${type
    .getValues()
    .map((each) => spellingOf(each, dialect))
    .join(', ')}`;

/** @param error The error that the scalar threw. */
export function sayScalar({ name }: GraphQLScalarType, error: unknown): string {
  if (!(error instanceof GraphQLError)) throw error;
  return builtIn[name] ?? error.message;
}

/** Describes a value that a built-in scalar of GraphQL rejects. */
const builtIn: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Int: 'must be a whole number of at most 32 bits',
  Float: 'must be a number',
  String: 'must be a string',
};
