/** Holds responses against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { buildOpenApi } from '../../src/rest/openapi.js';
import { readEndpoints } from '../../src/rest/operations.js';
import { ensure } from './expect.js';

// biome-ignore lint/suspicious/noExplicitAny: a part of the document is whatever its place says
export type Part = any;

/** Where something is in the document. */
export type Place = readonly string[];

/**
 * Responses are open in the document, so that clients live with new properties. Here they are
 * closed: what no schema names is a mistake. A schema that only narrows another requires nothing.
 */
function close(part: Part): Part {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== 'object' || part === null) return part;
  const below = Object.fromEntries(Object.entries(part).map(([key, each]) => [key, close(each)]));
  return part.type === 'object' && part.required && part.properties
    ? { additionalProperties: false, ...below }
    : below;
}

export const document: Part = close(buildOpenApi(readEndpoints(), 'http://localhost:4000'));

export const partAt = (place: Place): Part => place.reduce((part, key) => part?.[key], document);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addVocabulary(Object.keys(document));
ajv.addSchema(document, 'openapi.json');

const validators = new Map<string, ValidateFunction>();

/** @throws {AssertionError} when the value doesn't fit the schema at a place in the document. */
export function assertFits(place: Place, value: unknown, what: string): void {
  const pointer = place
    .map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${pointer}` });
  validators.set(pointer, validate);
  ensure(
    validate(value),
    `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value, null, 2)}`,
  );
}

/** The place that a reference leads to, or the place itself. */
function resolve(place: Place): Place {
  const reference = partAt(place)?.$ref as string | undefined;
  return reference ? reference.slice('#/'.length).split('/') : place;
}

const templates = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The path of the document that a path is one of. */
const templateOf = (pathname: string): string | undefined =>
  templates.find(({ pattern }) => pattern.test(pathname))?.template;

/**
 * Asserts that the response is one that the document declares for the operation: its status,
 * headers and body. Where the document has no such path or method, that it is a 404 or 405.
 * @param path With or without a query.
 * @param body As parsed; undefined when there was none.
 */
export function assertContract(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  body: unknown,
): void {
  const pathname = path.replace(/[?#].*/, '');
  const what = `${method} ${pathname} → ${status}`;
  const template = templateOf(pathname);
  const operation = ['paths', template ?? '', method.toLowerCase()];
  if (!partAt(operation)) {
    assertRefused(template ? (method === 'OPTIONS' ? 204 : 405) : 404, status, body, what);
    return;
  }
  const place = resolve([...operation, 'responses', String(status)]);
  const response = partAt(place);
  ensure(
    response,
    `${what}: declared are only ${Object.keys(partAt([...operation, 'responses'])).join(', ')}`,
  );
  for (const name of Object.keys(response.headers)) {
    assertHeader(resolve([...place, 'headers', name]), headers.get(name), `${what}, ${name}`);
  }
  if (response.content) {
    const type = headers.get('content-type') ?? '';
    ensure(/^application\/json\b/.test(type), `${what}: is ${type}`);
    assertFits([...place, 'content', 'application/json', 'schema'], body, what);
  } else {
    ensure(body === undefined, `${what}: has a body`);
  }
}

function assertRefused(expected: number, status: number, body: unknown, what: string): void {
  ensure(status === expected, `${what}: the document has no such operation`);
  if (status !== 204) assertFits(['components', 'schemas', 'Error'], body, what);
}

function assertHeader(place: Place, value: string | null, what: string): void {
  const { required, schema } = partAt(place);
  if (value === null) ensure(!required, `${what}: is missing`);
  else assertFits([...place, 'schema'], schema.type === 'integer' ? Number(value) : value, what);
}
