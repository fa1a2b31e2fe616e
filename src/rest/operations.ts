/**
 * The GraphQL operations of the routes: read, validated and compiled at startup. An error in a row
 * or an operation stops the start.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  parse,
  validate,
} from 'graphql';
import type { ApiScope } from '../auth/scopes.js';
import { scopesOf } from '../graph/access.js';
import { type Operation, operationOf } from '../graph/execution/compile.js';
import type { Variable } from '../graph/input/variables.js';
import { schema } from '../graph/schema.js';
import { packageRoot } from '../root.js';
import { type Route, routes } from './routes.js';

/** A route with everything that is derived from its operation. */
export interface Endpoint {
  readonly route: Route;
  readonly operation: Operation;
  readonly scopes: readonly ApiScope[];
  readonly pathVariables: readonly string[];
  readonly queryVariables: readonly Variable[];
  readonly body: Variable | undefined;
  /**
   * Argument names of the field and their variables, to report problems with the names of the
   * client.
   */
  readonly argumentNames: ReadonlyMap<string, string>;
  /** The root field of the schema, for the documents. */
  readonly field: GraphQLField<unknown, unknown>;
  readonly selection: FieldNode;
}

let operations: DocumentNode | undefined;

/**
 * All operations and fragments in one document. Read once per process, for the routes, the OpenAPI
 * document and the reference.
 */
export function readOperations(): DocumentNode {
  operations ??= parseOperations();
  return operations;
}

function parseOperations(): DocumentNode {
  const directory = join(packageRoot, 'schema', 'operations');
  const files = readdirSync(directory).filter((file) => file.endsWith('.graphql'));
  const document = parse(
    files.map((file) => readFileSync(join(directory, file), 'utf8')).join('\n'),
    { noLocation: true },
  );
  const [error] = validate(schema, document);
  if (error) throw new Error(`schema/operations: ${error.message}`);
  return document;
}

const rootAlias: Record<Route['reply'], string> = {
  record: 'data',
  created: 'data',
  set: 'data',
  nothing: 'data',
  page: 'list',
};

function toEndpoint(document: DocumentNode, route: Route): Endpoint {
  const wrong = (what: string) =>
    new Error(`${route.method} ${route.path}, operation ${route.operation}: ${what}`);
  const operation = operationOf(schema, document, route.operation, { specifiedEnums: true });
  operation.prepare();
  const [selection, ...more] = operation.definition.selectionSet.selections;
  if (selection?.kind !== 'Field' || more.length > 0) throw wrong('must select one field');
  if (selection.alias?.value !== rootAlias[route.reply])
    throw wrong(`must call its field ${rootAlias[route.reply]}`);
  const field = schema.getRootType(operation.kind)?.getFields()[selection.name.value];
  if (!field || (operation.kind === 'query') !== (route.method === 'GET'))
    throw wrong('does not fit the method');

  const pathVariables = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const rest = operation.variables.filter(({ name }) => !pathVariables.includes(name));
  const missing = pathVariables.find(
    (name) => !operation.variables.some((variable) => variable.name === name),
  );
  if (missing) throw wrong(`has no variable $${missing}`);
  const body = rest.find(({ type }) => isInputObjectType(getNamedType(type)));
  if (Boolean(body) !== ['POST', 'PATCH', 'PUT'].includes(route.method))
    throw wrong('has no body variable, or one too many');
  const queryVariables = rest.filter((variable) => variable !== body);
  if (queryVariables.length > 0 && route.method !== 'GET')
    throw wrong(`nothing supplies $${queryVariables[0]?.name}`);

  const filled = (selection.arguments ?? []).flatMap(({ name, value }): [string, string][] =>
    value.kind === 'Variable' ? [[name.value, value.name.value]] : [],
  );
  const argumentNames = new Map(filled.filter(([, variable]) => variable !== body?.name));
  return {
    route,
    operation,
    scopes: scopesOf(field) ?? [],
    pathVariables,
    queryVariables,
    body,
    argumentNames,
    field,
    selection,
  };
}

let endpoints: readonly Endpoint[] | undefined;

/** All endpoints. They have no request state, so all applications of a process share them. */
export function readEndpoints(): readonly Endpoint[] {
  endpoints ??= routes.map((route) => toEndpoint(readOperations(), route));
  return endpoints;
}
