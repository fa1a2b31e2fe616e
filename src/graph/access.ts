/**
 * Calls the resolver of a field behind the check of its scopes, which {@link Scope} declares;
 * OpenAPI, the portal and the documents read them too.
 */
import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { createParameterDecorator, Extensions, type ResolverData } from 'type-graphql';
import { Access, requireScopes } from '../auth/policy.js';
import type { ApiScope } from '../auth/scopes.js';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';
import { argumentsSettler, markNotNull } from './input/blank.js';
import { type Parameter, type ResolverMethod, resolverMethods } from './type-graphql-internals.js';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/** The API scopes that a field requires, all of them. Without scopes, a valid token is enough. */
export const Scope = (...scopes: ApiScope[]) => Extensions({ scopes });

export const scopesOf = <C>(field: GraphQLField<unknown, C>): readonly ApiScope[] | undefined =>
  field.extensions.scopes as readonly ApiScope[] | undefined;

/** The access of the caller under the scopes of this field. */
export const Caller = () =>
  createParameterDecorator<Context>(
    ({ context, info }: { context: Context; info: GraphQLResolveInfo }) => {
      const field = info.parentType.getFields()[info.fieldName];
      const isMutation = info.parentType === info.schema.getMutationType();
      return new Access(
        authenticated(context),
        (field && scopesOf(field)) ?? [],
        isMutation ? context.written : undefined,
      );
    },
  );

function authenticated({ principal }: Context) {
  if (!principal) throw new ApiError('unauthenticated');
  return principal;
}

/**
 * Resolves each field by its resolver method, after the check of the scopes that it declares.
 * Type-GraphQL's own call sorts parameters, converts arguments to instances and awaits each one, so
 * that a field with an argument creates a promise per row; arguments here are validated plain
 * objects (input/variables.ts).
 * @returns The same schema.
 * @throws {Error} when a root field declares no scopes, because it would be public, or when scopes
 * of a field are not checked, because it has no resolver method.
 */
export function connectResolvers(schema: GraphQLSchema): GraphQLSchema {
  markNotNull(schema);
  const methods = resolverMethods(schema);
  const connected = new Set(methods.map(({ field }) => field));
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(field);
      if (!scopes && roots.includes(type))
        throw new Error(`${type.name}.${field.name} declares no @Scope.`);
      if (scopes && !connected.has(field))
        throw new Error(`${type.name}.${field.name} declares @Scope, but has no resolver method.`);
    }
  for (const method of methods) method.field.resolve = resolverOf(method);
  return schema;
}

function resolverOf({ field, call, parameters }: ResolverMethod): Resolver {
  const scopes = scopesOf(field);
  const settle = argumentsSettler(field);
  return (root, given, context, info) => {
    if (scopes) requireScopes(authenticated(context), scopes);
    // Blank text and null are handled here, identically for literals and variables.
    const data = { root, args: settle ? settle(given) : given, context, info };
    const values: unknown[] = [];
    for (const parameter of parameters) values.push(argumentOf(parameter, data));
    return call(...values);
  };
}

function argumentOf(parameter: Parameter, data: ResolverData<Context>): unknown {
  switch (parameter.kind) {
    case 'arg':
      return data.args[parameter.name];
    case 'args':
      return data.args;
    case 'root':
    case 'context':
    case 'info':
      return data[parameter.kind];
    case 'custom':
      return parameter.resolver(data);
    default:
      throw new Error(`No resolver here has a parameter of the kind ${parameter.kind}.`);
  }
}
