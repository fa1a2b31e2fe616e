/**
 * The same request in both styles, sent to two servers on equal databases, and what comes back in
 * one form.
 */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  print,
  separateOperations,
} from 'graphql';
import { type ErrorCode, statusOf } from '../../src/errors.js';
import { snakeCase } from '../../src/graph/input/dialect.js';
import { schema } from '../../src/graph/schema.js';
import { type Endpoint, readOperations } from '../../src/rest/operations.js';
import type { Response } from './app.js';
import type { Sample } from './cases.js';

/** What was answered, in the spelling of REST. */
export interface Outcome {
  readonly status: number;
  readonly data?: unknown;
  readonly error?: { code: string; message: string; details: unknown };
}

const documents = separateOperations(readOperations());

/** The operation that stands behind the route, as a document of its own. */
export const documentOf = ({ route }: Endpoint): string => {
  const document = documents[route.operation];
  if (!document) throw new Error(`There is no operation ${route.operation}.`);
  return print(document);
};

/** By the name that GraphQL has for an enum value: the specification's. */
const spelling = new Map(enumValues(schema).map(({ name, value }) => [name, String(value)]));

function enumValues(of: GraphQLSchema) {
  const own = Object.values(of.getTypeMap()).filter(
    (type) => isEnumType(type) && !type.name.startsWith('__'),
  );
  return own.flatMap((type) => (isEnumType(type) ? type.getValues() : []));
}

const camelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A body as GraphQL takes it: camelCase names, enum values by their GraphQL name. */
function toInput(type: GraphQLInputType | undefined, value: unknown): unknown {
  const nullable = type && getNullableType(type);
  if (Array.isArray(value))
    return value.map((each) => toInput(isListType(nullable) ? nullable.ofType : undefined, each));
  if (isEnumType(nullable))
    return nullable.getValues().find((each) => each.value === value)?.name ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = isInputObjectType(nullable) ? nullable.getFields() : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      camelCase(name),
      toInput(fields[camelCase(name)]?.type, each),
    ]),
  );
}

/** The variables of the operation for a request. */
export function variablesOf(
  { endpoint }: Sample,
  path: object,
  query: Readonly<Record<string, string>>,
  body: unknown,
): Record<string, unknown> {
  const { body: bodyVariable, queryVariables } = endpoint;
  const isInteger = (name: string) =>
    getNamedType(queryVariables.find((each) => each.name === name)?.type)?.name === 'PageSize';
  const read = Object.entries(query).map(([name, text]) => [
    name,
    isInteger(name) && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
  ]);
  return {
    ...path,
    ...Object.fromEntries(read),
    ...(bodyVariable && { [bodyVariable.name]: toInput(bodyVariable.type, body) }),
  };
}

/** GraphQL names and enum values in a sentence, as REST has them. */
const plainSentence = (text: string): string =>
  snakeCase(text.replace(/\b[A-Z][A-Z_]+\b/g, (name) => spelling.get(name) ?? name.toLowerCase()));

const mapLeaves = (value: unknown, change: (leaf: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapLeaves(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapLeaves(each, change)]),
  );
};

export function fromRest({ endpoint }: Sample, { status, body }: Response): Outcome {
  if (status >= 400) {
    const { code, message, details = {} } = body.error;
    return { status, error: { code, message, details: mapLeaves(details, plainSentence) } };
  }
  return {
    status,
    data:
      endpoint.route.reply === 'nothing'
        ? true
        : endpoint.route.reply === 'page'
          ? body
          : body.data,
  };
}

/**
 * An error of a field comes with 200, or 401 without a token; its code says what the status is in
 * REST.
 */
export function fromGraphql(
  { endpoint }: Sample,
  { status, body }: Response,
  successful: number,
): Outcome {
  const [error] = body.errors ?? [];
  if (!error)
    return {
      status: successful,
      data: mapLeaves(body.data.data ?? body.data.list, (text) => spelling.get(text) ?? text),
    };
  const { code, details = {} } = error.extensions;
  const restCode = String(code).toLowerCase();
  const restStatus = statusOf(restCode as ErrorCode);
  if (restCode.toUpperCase() !== code || ![200, restStatus].includes(status))
    throw new Error(`${code} came with the status ${status}.`);
  const named = Object.entries(details).map(([path, problem]) => [
    endpoint.argumentNames.get(path) ?? (/^[a-z]/.test(path) ? snakeCase(path) : path),
    problem,
  ]);
  const plain = (sentence: string) =>
    restCode === 'conflict' ? snakeCase(sentence) : plainSentence(sentence);
  return {
    status: restStatus,
    error: {
      code: restCode,
      message: error.message,
      details: mapLeaves(Object.fromEntries(named), plain),
    },
  };
}

/**
 * The same with what each server makes for itself left out: its ids (UUIDv7) and its times, also in
 * cursors.
 */
export function withoutOwn(outcome: unknown, since: string): unknown {
  const own = (text: string): string => {
    if (/^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(text)) return '(id)';
    return /^\d{4}-\d\d-\d\dT/.test(text) && text > since ? '(time)' : text;
  };
  return mapLeaves(outcome, (text) => {
    const position = Buffer.from(text, 'base64url').toString();
    return /^[\w-]{8} \S* [0-9a-f-]{36}$/.test(position)
      ? position.split(' ').map(own).join(' ')
      : own(text);
  });
}
