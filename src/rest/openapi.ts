/** The OpenAPI document, from the route table, its operations and the GraphQL schema. */
import { type GraphQLArgument, getNamedType, getNullableType, valueFromASTUntyped } from 'graphql';
import { restDialect } from '../graph/input/dialect.js';
import { ownDescription } from '../graph/input/shown-types.js';
import type { Variable } from '../graph/input/variables.js';
import { infoOf, securitySchemes, tags } from './openapi/about.js';
import { pathExamples } from './openapi/demo.js';
import { exampleAnswer, exampleBody } from './openapi/examples.js';
import { requestHeaders, responseHeaders } from './openapi/headers.js';
import { errorResponses, errorSchema, hasETag, isRead, responsesOf } from './openapi/responses.js';
import { type Json, objectOf, Schemas, Selections } from './openapi/schemas.js';
import { type Endpoint, readOperations } from './operations.js';
import { isConditional } from './routes.js';

/** @param baseUrl Where the API is served, without a slash at the end. */
export function buildOpenApi(endpoints: readonly Endpoint[], baseUrl: string): object {
  const schemas = new Schemas(new Selections(readOperations()), restWording(endpoints));
  const paths: Record<string, Record<string, Json>> = {};
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint, schemas) };
  }
  return {
    openapi: '3.1.1',
    info: infoOf(baseUrl),
    servers: [{ url: baseUrl }],
    tags,
    paths,
    components: {
      securitySchemes: securitySchemes(baseUrl),
      parameters: requestHeaders,
      headers: responseHeaders,
      responses: errorResponses(endpoints),
      schemas: { Error: errorSchema, ...schemas.components },
    },
  };
}

function operationOf(endpoint: Endpoint, schemas: Schemas): Json {
  const { route, operation, scopes, field, body } = endpoint;
  const text = schemas.say(operation.definition.description?.value ?? field.description);
  const needs =
    scopes.length > 0
      ? `Needs ${scopes.map((scope) => `\`${scope}\``).join(' and ')}.`
      : 'Needs no API scope.';
  return {
    operationId: route.operation.replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
    summary: text.replace(/\.(\s.*)?$/s, ''),
    description: `${text}\n\n${needs}`,
    tags: [route.group],
    security: [{ oauth2: scopes }, { bearer: [] }],
    parameters: parametersOf(endpoint, schemas),
    ...(body && { requestBody: requestBody(endpoint, body, schemas) }),
    responses: responsesOf(
      endpoint,
      exampleAnswer(endpoint, schemas.selections),
      responseSchema(endpoint, schemas),
    ),
    'x-required-scopes': scopes,
    'x-graphql-operation': route.operation,
  };
}

/** Replaces GraphQL names in the backticks of descriptions with those of REST. */
function restWording(endpoints: readonly Endpoint[]): Schemas['say'] {
  const queries = endpoints.flatMap(({ argumentNames, queryVariables }) =>
    [...argumentNames].filter(([, variable]) =>
      queryVariables.some(({ name }) => name === variable),
    ),
  );
  const names = new Map(queries);
  return (text) =>
    (text ?? '').replace(
      /`([a-z]+(?:[A-Z][a-z]*)*)`/g,
      (_, name: string) => `\`${names.get(name) ?? restDialect.wireName(name)}\``,
    );
}

/** Without the rule of the type that GraphQL shows: the schema of a parameter has its limits. */
const textOf = (argument: GraphQLArgument | undefined) => argument && ownDescription(argument);

function parametersOf(endpoint: Endpoint, schemas: Schemas): Json[] {
  const { operation, field, route, argumentNames, pathVariables } = endpoint;
  const argumentOf = new Map(
    [...argumentNames].map(([argument, variable]) => [variable, argument]),
  );
  const described = operation.variables
    .filter((variable) => variable !== endpoint.body)
    .map(({ name, type }) => {
      const isInPath = pathVariables.includes(name);
      const node = operation.definition.variableDefinitions?.find(
        ({ variable }) => variable.name.value === name,
      )?.defaultValue;
      return {
        name,
        in: isInPath ? 'path' : 'query',
        ...(isInPath && { required: true, example: pathExamples[name] }),
        description: schemas.say(
          textOf(field.args.find((argument) => argument.name === argumentOf.get(name))),
        ),
        schema: { ...schemas.input(type), ...(node && { default: valueFromASTUntyped(node) }) },
      };
    });
  const headers = {
    'Idempotency-Key': route.reply === 'created',
    'If-Match': isConditional(route),
    'If-None-Match': hasETag(endpoint),
    Prefer: isRead(endpoint),
  } satisfies Partial<Record<keyof typeof requestHeaders, boolean>>;
  const sent = Object.entries(headers).filter(([, isTaken]) => isTaken);
  return [...described, ...sent.map(([name]) => ({ $ref: `#/components/parameters/${name}` }))];
}

function requestBody(endpoint: Endpoint, { type }: Variable, schemas: Schemas): Json {
  const { field } = endpoint;
  const takesIt = (argument: GraphQLArgument) => getNamedType(argument.type) === getNamedType(type);
  return {
    required: true,
    description: schemas.say(field.args.find(takesIt)?.description),
    content: {
      'application/json': {
        schema: schemas.input(getNullableType(type)),
        example: exampleBody(endpoint),
      },
    },
  };
}

/** The operation selects the envelope of a page; the envelope of every other reply is `data`. */
function responseSchema({ route, field, selection }: Endpoint, schemas: Schemas): Json {
  const schema = schemas.output(field.type, selection.selectionSet);
  return route.reply === 'page' ? schema : objectOf({ data: schema });
}
