/**
 * Calls resolver methods without Type-GraphQL's wrapper, which sorts parameters, converts arguments
 * to instances and awaits each one per call, so that a field with an argument creates a promise per
 * row. Arguments are validated plain objects before an operation runs (input.ts).
 */
import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { getMetadataStorage, type ResolverData } from 'type-graphql';
import type { Context } from '../../context.js';
import { argumentsSettler, markNotNull } from '../input/blank.js';

type Storage = ReturnType<typeof getMetadataStorage>;
type Handler = Storage['queries'][number] | Storage['fieldResolvers'][number];
type Parameter = NonNullable<Handler['params']>[number];
type Data = ResolverData<Context>;
type Resolver = GraphQLFieldResolver<unknown, Context>;
type Field = GraphQLField<unknown, Context>;

/**
 * Replaces the resolvers of the schema by direct calls.
 * @returns The same schema.
 */
export function callDirectly(schema: GraphQLSchema): GraphQLSchema {
  markNotNull(schema);
  const { queries, mutations, fieldResolvers, objectTypes } = getMetadataStorage();
  const instances = new Map<unknown, object>();
  const typeOf = (target: unknown) =>
    schema.getType(objectTypes.find((type) => type.target === target)?.name ?? '');
  const put = (type: unknown, handler: Handler, target: unknown) => {
    const field = isObjectType(type)
      ? (type as GraphQLObjectType).getFields()[handler.schemaName]
      : undefined;
    if (!field) return;
    const instance = instances.get(target) ?? new (target as new () => object)();
    instances.set(target, instance);
    field.resolve = settled(field, resolverOf(instance as Record<string, never>, handler));
  };
  for (const handler of queries) put(schema.getQueryType(), handler, handler.target);
  for (const handler of mutations) put(schema.getMutationType(), handler, handler.target);
  for (const handler of fieldResolvers)
    if (handler.kind === 'external')
      put(typeOf(handler.getObjectType?.()), handler, handler.target);
  return schema;
}

/** Blank text and null are handled here, identically for literals and variables. */
function settled(field: Field, resolve: Resolver): Resolver {
  const settle = argumentsSettler(field);
  return settle
    ? (root, args, context, info) => resolve(root, settle(args), context, info)
    : resolve;
}

function resolverOf(
  instance: Record<string, (...values: unknown[]) => unknown>,
  handler: Handler,
): Resolver {
  const method = instance[handler.methodName]?.bind(instance);
  if (!method) throw new Error(`${handler.target.name} has no method ${handler.methodName}.`);
  const readers = [...(handler.params ?? [])].sort((a, b) => a.index - b.index).map(readerOf);
  return (root, args, context, info) =>
    method(...readers.map((read) => read({ root, args, context, info })));
}

function readerOf(parameter: Parameter): (data: Data) => unknown {
  switch (parameter.kind) {
    case 'arg':
      return ({ args }) => args[parameter.name];
    case 'args':
      return ({ args }) => args;
    case 'root':
      return ({ root }) => root;
    case 'context':
      return ({ context }) => context;
    case 'info':
      return ({ info }) => info;
    case 'custom':
      return parameter.resolver;
    default:
      throw new Error(`No resolver here has a parameter of the kind ${parameter.kind}.`);
  }
}
