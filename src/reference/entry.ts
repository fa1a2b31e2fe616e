/**
 * An operation of the reference: its part of the OpenAPI document, a request for the demo set, and
 * its GraphQL twin.
 */
import type { Endpoint } from '../rest/operations.js';
import type { Route } from '../rest/routes.js';
import { type Failure, failuresOf } from './failure.js';
import {
  type OpenApi,
  type Operation,
  type Parameter,
  type ResponseObject,
  refName,
  type Schema,
} from './openapi.js';
import type { ExampleRequest } from './samples.js';
import { type Twin, twinsOf } from './twin.js';

export interface Success extends ResponseObject {
  readonly status: string;
}

export interface Entry {
  /** The name of the operation, which is its anchor on the page. */
  readonly name: string;
  /** `List my certifications` */
  readonly title: string;
  readonly route: Route;
  readonly scopes: readonly string[];
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly success: Success;
  /** The statuses of errors, and the names of their responses. */
  readonly errors: readonly { readonly status: string; readonly response: string }[];
  /** Examples of errors. */
  readonly failures: readonly Failure[];
  /** The schema of the records that it is about. */
  readonly resource: string;
  readonly request: ExampleRequest;
  readonly twin: Twin;
}

/** All operations, in the order of the route table. */
export function entriesOf(
  endpoints: readonly Endpoint[],
  document: OpenApi,
  baseUrl: string,
): Entry[] {
  const twinOf = twinsOf();
  return endpoints.map((endpoint) => {
    const { route, scopes } = endpoint;
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`The OpenAPI document has no ${route.method} ${route.path}.`);
    const parameters = operation.parameters.map((each) =>
      '$ref' in each ? (document.components.parameters[refName(each.$ref)] as Parameter) : each,
    );
    const request = requestOf(route, operation, parameters, baseUrl);
    const responses = Object.entries(operation.responses);
    const [success] = responses.flatMap(([status, each]) =>
      '$ref' in each ? [] : [{ status, ...each }],
    );
    if (!success) throw new Error(`${route.operation} can't succeed.`);
    const errors = responses.flatMap(([status, each]) =>
      '$ref' in each ? [{ status, response: refName(each.$ref) }] : [],
    );
    const twin = twinOf(endpoint, { ...request.parameters, ...request.query });
    return {
      name: route.operation,
      title: titleOf(route.operation),
      route,
      scopes,
      operation,
      parameters,
      success,
      errors,
      failures: failuresOf(endpoint, request, bodySchemaOf(operation, document)),
      resource: resourceOf(document, route),
      request,
      twin,
    };
  });
}

function bodySchemaOf({ requestBody }: Operation, { components }: OpenApi): Schema | undefined {
  const { $ref } = requestBody?.content['application/json'].schema ?? {};
  return $ref === undefined ? undefined : components.schemas[refName($ref)];
}

/** The name of the schema in the responses of the path, so that a DELETE is beside its PUT. */
function resourceOf({ paths }: OpenApi, { operation, path }: Route): string {
  for (const { responses } of Object.values(paths[path] ?? {})) {
    for (const response of Object.values(responses)) {
      if ('$ref' in response) continue;
      const data = response.content?.['application/json'].schema.properties?.data;
      const reference = data?.$ref ?? data?.items?.$ref;
      if (reference) return refName(reference);
    }
  }
  throw new Error(`${operation} returns no record.`);
}

const wordsOf = (name: string): string[] => name.split(/(?<=[a-z])(?=[A-Z])/);

const titleOf = (name: string): string =>
  wordsOf(name)
    .map((word, index) => (index === 0 ? word : word.toLowerCase()))
    .join(' ');

function requestOf(
  route: Route,
  operation: Operation,
  parameters: readonly Parameter[],
  baseUrl: string,
): ExampleRequest {
  const { method, path, reply } = route;
  const inPath = parameters
    .filter((each) => each.in === 'path')
    .map(({ name, example = '' }) => [name, example]);
  const content = operation.requestBody?.content['application/json'];
  return {
    baseUrl,
    method,
    path,
    parameters: Object.fromEntries(inPath),
    query: reply === 'page' ? { limit: 20 } : {},
    headers:
      reply === 'created'
        ? { 'Idempotency-Key': `${wordsOf(route.operation).join('-').toLowerCase()}-1` }
        : {},
    ...(content && { body: content.example }),
  };
}
