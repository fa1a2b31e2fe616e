/** Scopes on fields: declared once by {@link Scope}, enforced by {@link guard}, read by OpenAPI, the portal and the documents. */
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type SelectionNode,
} from 'graphql';
import { createParameterDecorator, Extensions } from 'type-graphql';
import { Access, requireScopes } from '../auth/policy.js';
import type { ApiScope } from '../auth/scopes.js';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';

/** The API scopes that a field needs, all of them. None: a valid token is enough. */
export const Scope = (...scopes: ApiScope[]) => Extensions({ scopes });

export const scopesOf = (field: GraphQLField<unknown, unknown>): readonly ApiScope[] | undefined =>
  field.extensions.scopes as readonly ApiScope[] | undefined;

/** What the caller may reach with the scopes of this field. */
export const Caller = () =>
  createParameterDecorator<Context>(({ context, info }: { context: Context; info: GraphQLResolveInfo }) => {
    const field = info.parentType.getFields()[info.fieldName];
    return new Access(authenticated(context), (field && scopesOf(field)) ?? []);
  });

function authenticated({ principal }: Context) {
  if (!principal) throw new ApiError('unauthenticated');
  return principal;
}

/**
 * Puts the scope check in front of every field that declares scopes.
 * @throws {Error} when a root field declares none: it would be open to anyone.
 */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(field);
      if (!scopes && roots.includes(type)) throw new Error(`${type.name}.${field.name} declares no @Scope.`);
      const { resolve } = field;
      if (!scopes || !resolve) continue;
      field.resolve = (root, args, context: Context, info) => {
        requireScopes(authenticated(context), scopes);
        return resolve(root, args, context, info);
      };
    }
  }
  return schema;
}

/** Whether all operations of a document ask only for what needs no token: `__schema`, `__type` and `__typename`. */
export function describesSchema({ definitions }: DocumentNode): boolean {
  const describes = (node: SelectionNode): boolean => {
    if (node.kind === Kind.FIELD) return node.name.value.startsWith('__');
    if (node.kind === Kind.INLINE_FRAGMENT) return node.selectionSet.selections.every(describes);
    const fragment = definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value);
    return fragment?.kind === Kind.FRAGMENT_DEFINITION && fragment.selectionSet.selections.every(describes);
  };
  return definitions.every((each) => each.kind !== Kind.OPERATION_DEFINITION || each.selectionSet.selections.every(describes));
}
