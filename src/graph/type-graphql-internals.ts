/**
 * Metadata of Type-GraphQL, which is not documented, verified against type-graphql 2.0.0-rc.4. Only
 * this file uses it; test/graph/type-graphql-internals.test.ts fails when a part of it is gone.
 */
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../context.js';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { 'type-graphql': '2.0.0-rc.4' } as const;

type Storage = ReturnType<typeof getMetadataStorage>;
type Handler = Storage['queries'][number] | Storage['fieldResolvers'][number];

/** The source of a parameter of a resolver method, by the decorator on it. */
export type Parameter = NonNullable<Handler['params']>[number];

/** The method of a resolver class that resolves a field. */
export interface ResolverMethod {
  readonly field: GraphQLField<unknown, Context>;
  /** Bound to the only instance of its class. */
  readonly call: (...values: unknown[]) => unknown;
  /** In the order of the method. */
  readonly parameters: readonly Parameter[];
}

/** The resolver methods of all root fields and computed fields of a schema. */
export function resolverMethods(schema: GraphQLSchema): ResolverMethod[] {
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage();
  const instances = new Map<unknown, Record<string, (...values: unknown[]) => unknown>>();
  const typeOf = (target: unknown) =>
    schema.getType(objectTypes.find((type) => type.target === target)?.name ?? '');
  const methodOf = (type: unknown, handler: Handler): ResolverMethod[] => {
    const { target, schemaName, methodName, params = [] } = handler;
    const field = isObjectType(type) ? type.getFields()[schemaName] : undefined;
    if (!field) return [];
    const instance = instances.get(target) ?? new (target as new () => object)();
    instances.set(target, instance as Record<string, never>);
    const call = (instance as Record<string, ResolverMethod['call']>)[methodName]?.bind(instance);
    if (!call) throw new Error(`${target.name} has no method ${methodName}.`);
    return [{ field, call, parameters: [...params].sort((a, b) => a.index - b.index) }];
  };
  return [
    ...queries.flatMap((handler) => methodOf(schema.getQueryType(), handler)),
    ...mutations.flatMap((handler) => methodOf(schema.getMutationType(), handler)),
    ...fieldResolvers.flatMap((handler) =>
      handler.kind === 'external' ? methodOf(typeOf(handler.getObjectType?.()), handler) : [],
    ),
  ];
}

/** The input types of a schema, each with the prototype of its class. */
export function inputPrototypes(schema: GraphQLSchema): [GraphQLInputObjectType, object][] {
  return getMetadataStorage().inputTypes.flatMap(
    ({ name, target }): [GraphQLInputObjectType, object][] => {
      const type = schema.getType(name);
      return isInputObjectType(type) ? [[type, target.prototype]] : [];
    },
  );
}
