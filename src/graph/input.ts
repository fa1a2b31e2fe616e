/**
 * Input, read by the schema's own types: one walk for both styles. GraphQL names are camelCase and enum values upper-case; REST names are
 * snake_case and enum values as the specification spells them. Problems are told by path, in the names of whoever asked.
 */
import {
  GraphQLError,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { invalid, type Problems } from '../errors.js';
import type { Dialect } from './dialect.js';

/** A variable of an operation. */
export interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** As JSON would have it; undefined when there is none. */
  readonly defaultValue: unknown;
}

/** Problems of an input object are told relative to it, as those that services find are; those of any other variable under its name. */
const pathOf = ({ name, type }: Variable): Path => (isInputObjectType(getNullableType(type)) ? [] : [name]);

/**
 * The variables of an operation, in GraphQL's own terms.
 * @param given By name; a name that is no variable is the caller's to refuse.
 * @throws {ApiError} `validation_error` with every problem found.
 */
export function readVariables(
  variables: readonly Variable[],
  given: Readonly<Record<string, unknown>>,
  dialect: Dialect,
): Record<string, unknown> {
  const problems: Problems = Object.create(null);
  const read: Record<string, unknown> = Object.create(null);
  for (const variable of variables) {
    const { name, type, defaultValue } = variable;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (defaultValue !== undefined) read[name] = defaultValue;
      else if (isNonNullType(type)) problems[name] = ['is required'];
    } else {
      read[name] = readValue(type, value, pathOf(variable), dialect, problems);
    }
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return read;
}

type Path = readonly (string | number)[];

/** Past that no more are looked for: telling them would be longer than what was sent. */
const mostProblems = 100;
/** What the longest list of all may have; most operations take fewer. */
const mostEntries = 1000;
export const isFull = (problems: Problems): boolean => Object.keys(problems).length >= mostProblems;

function refuse(problems: Problems, path: Path, sentence: string): undefined {
  const key = path.join('.') || 'body';
  problems[key] = [...(problems[key] ?? []), sentence];
}

function readValue(type: GraphQLInputType, value: unknown, path: Path, dialect: Dialect, problems: Problems): unknown {
  if (isNonNullType(type)) {
    return value === null ? refuse(problems, path, 'must not be null') : readValue(type.ofType, value, path, dialect, problems);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (Array.isArray(value)) return readList(type.ofType, value, path, dialect, problems);
    return readListOfOne(type.ofType, value, dialect) ?? refuse(problems, path, 'must be an array');
  }
  if (isInputObjectType(type)) return readObject(Object.values(type.getFields()), value, path, dialect, problems);
  return readLeaf(type, value, path, dialect, problems);
}

function readList(type: GraphQLInputType, values: readonly unknown[], path: Path, dialect: Dialect, problems: Problems): unknown {
  if (values.length > mostEntries) return refuse(problems, path, `must have at most ${mostEntries} entries`);
  const read: unknown[] = [];
  for (const [index, each] of values.entries()) {
    if (isFull(problems)) break;
    read.push(readValue(type, each, [...path, index], dialect, problems));
  }
  return read;
}

/** One value for a list of one, where the dialect has that and the value fits. */
function readListOfOne(type: GraphQLInputType, value: unknown, dialect: Dialect): unknown[] | undefined {
  const problems: Problems = Object.create(null);
  const list = dialect.listsOfOne ? [readValue(type, value, [], dialect, problems)] : undefined;
  return Object.keys(problems).length === 0 ? list : undefined;
}

function readObject(fields: readonly GraphQLInputField[], value: unknown, path: Path, dialect: Dialect, problems: Problems): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(problems, path, 'must be an object');
  const given = value as Readonly<Record<string, unknown>>;
  const known = new Set<string>();
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const name = dialect.wireName(field.name);
    known.add(name);
    const each = Object.hasOwn(given, name) ? given[name] : undefined;
    if (each === undefined) {
      // The compiled executor fills no defaults in below a variable.
      if (field.defaultValue !== undefined) read[field.name] = field.defaultValue;
      else if (isNonNullType(field.type)) refuse(problems, [...path, name], 'is required');
    } else {
      read[field.name] = readValue(field.type, each, [...path, name], dialect, problems);
    }
  }
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    if (isFull(problems)) break;
    refuse(
      problems,
      [...path, name],
      `is not a known property; known are ${fields.map((field) => dialect.wireName(field.name)).join(', ')}`,
    );
  }
  return read;
}

function readLeaf(type: GraphQLLeafType, value: unknown, path: Path, dialect: Dialect, problems: Problems): unknown {
  if (isEnumType(type)) {
    const spelling = (each: { name: string; value: string }) => (dialect.specifiedEnums ? each.value : each.name);
    const found = type.getValues().find((each) => spelling(each) === value);
    if (!found) return refuse(problems, path, `must be one of ${type.getValues().map(spelling).join(', ')}`);
    return found.name;
  }
  try {
    type.parseValue(value);
    return value;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refuse(problems, path, builtIn[type.name] ?? error.message);
  }
}

/** What is wrong with a value that GraphQL's own scalars refuse. */
const builtIn: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Int: 'must be a whole number of at most 32 bits',
  Float: 'must be a number',
  String: 'must be a string',
};
