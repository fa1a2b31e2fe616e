/**
 * Scopes of fields: declared by {@link Scope}, enforced by {@link guard}, and read by OpenAPI, the
 * portal and the documents.
 */
import {
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
} from 'graphql';
import { createParameterDecorator, Extensions } from 'type-graphql';
import { Access, requireScopes } from '../auth/policy.js';
import type { ApiScope } from '../auth/scopes.js';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';

/** The API scopes that a field requires, all of them. Without scopes, a valid token is enough. */
export const Scope = (...scopes: ApiScope[]) => Extensions({ scopes });

export const scopesOf = (field: GraphQLField<unknown, unknown>): readonly ApiScope[] | undefined =>
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
 * Adds the scope check to every field that declares scopes.
 * @throws {Error} when a root field declares none, because it would be public.
 */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const scopes = scopesOf(field);
      if (!scopes && roots.includes(type))
        throw new Error(`${type.name}.${field.name} declares no @Scope.`);
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
