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
import { createParameterDecorator, Extensions } from 'type-graphql';
import { Access, requireScopes } from '../auth/policy.js';
import type { ApiScope } from '../auth/scopes.js';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';
import { type ArgumentsSettler, argumentsSettler, markNotNull } from './input/blank.js';
import { type ResolverMethod, resolverMethods } from './type-graphql-internals.js';

type Resolver = GraphQLFieldResolver<unknown, Context>;

/** The API scopes that a field requires, all of them. Without scopes, a valid token is enough. */
export const Scope = (...scopes: ApiScope[]) => Extensions({ scopes });

export const scopesOf = <C>(field: GraphQLField<unknown, C>): readonly ApiScope[] | undefined =>
  field.extensions.scopes as readonly ApiScope[] | undefined;

/** The access of the caller under the scopes of this field, which {@link resolverOf} passes. */
export const Caller = () => createParameterDecorator<Context>(passedByResolver);

const passedByResolver = (): never => {
  throw new Error('Only resolverOf calls resolver methods.');
};

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
  const mutations = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}));
  for (const method of methods)
    method.field.resolve = resolverOf(method, mutations.has(method.field));
  return schema;
}

function resolverOf({ field, call, parameters }: ResolverMethod, isMutation: boolean): Resolver {
  const scopes = scopesOf(field);
  const settlerOf = argumentsSettler(field);
  const needsAccess = parameters.some(({ kind }) => kind === 'custom');
  /** By the field in a compiled document; null where no rule remains for the resolver. */
  const settlers = new WeakMap<GraphQLResolveInfo['fieldNodes'], ArgumentsSettler | null>();
  return (root, given, context, info) => {
    const { principal } = context;
    if (!principal && (scopes || needsAccess)) throw new ApiError('unauthenticated');
    if (principal && scopes) requireScopes(principal, scopes);
    let settle = settlerOf && settlers.get(info.fieldNodes);
    if (settlerOf && settle === undefined) {
      settle = settlerOf(info) ?? null;
      settlers.set(info.fieldNodes, settle);
    }
    // Blank text and null are handled here, identically for literals and variables.
    const args = settle ? settle(given) : given;
    const values: unknown[] = [];
    for (const parameter of parameters) {
      const { kind } = parameter;
      if (kind === 'arg') values.push(args[parameter.name]);
      else if (kind === 'args') values.push(args);
      else if (kind === 'root') values.push(root);
      else if (kind === 'context') values.push(context);
      else if (kind === 'info') values.push(info);
      else if (kind !== 'custom' || !principal)
        throw new Error(`No resolver here has a parameter of the kind ${kind}.`);
      else {
        const written = isMutation ? context.written : undefined;
        values.push(new Access(principal, scopes ?? [], written));
      }
    }
    return call(...values);
  };
}
