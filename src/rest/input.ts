/** From an HTTP request to the variables of an operation. */
import { getNullableType, isScalarType } from 'graphql';
import { invalid, type Problems } from '../errors.js';
import { restDialect } from '../graph/input/dialect.js';
import { isFull, readVariables, type Variable } from '../graph/input/variables.js';
import type { Endpoint } from './operations.js';

/** @throws {ApiError} `validation_error` with all problems of path, query and body. */
export function readInput(
  endpoint: Endpoint,
  path: Readonly<Record<string, string | undefined>>,
  query: string,
  body: unknown,
): Record<string, unknown> {
  const given: Record<string, unknown> = { ...path, ...readQuery(endpoint.queryVariables, query) };
  if (endpoint.body) given[endpoint.body.name] = body;
  return readVariables(endpoint.operation.variables, given, restDialect);
}

/** Rejects unknown parameters: an ignored filter would return everything. */
function readQuery(variables: readonly Variable[], query: string): Record<string, unknown> {
  const problems: Problems = Object.create(null);
  const read: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    if (isFull(problems)) break;
    const variable = variables.find((each) => each.name === name);
    if (!variable)
      problems[name] = [
        `is not a known parameter; known are ${variables.map((each) => each.name).join(', ') || 'none'}`,
      ];
    else if (name in read) problems[name] = ['must be given only once'];
    else read[name] = isInteger(variable) && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return read;
}

function isInteger({ type }: Variable): boolean {
  const named = getNullableType(type);
  return (
    isScalarType(named) &&
    (named.extensions.jsonSchema as { type?: string } | undefined)?.type === 'integer'
  );
}
