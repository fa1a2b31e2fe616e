/** Changes of the GraphQL schema that break existing clients. */
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/**
 * @returns The breaks, one line each: those that graphql-js finds and, as in REST, new values of an
 * enum in results. Removing what was deprecated is allowed.
 */
export function compareGraphql(oldSdl: string, nowSdl: string): string[] {
  const [old, now] = [buildSchema(oldSdl), buildSchema(nowSdl)];
  const breaking = findBreakingChanges(old, now).filter(
    ({ type, description }) => !isAnnounced(old, type, description),
  );
  const read = typesRead(now);
  const values = findDangerousChanges(old, now).filter(
    ({ type, description }) =>
      type === DangerousChangeType.VALUE_ADDED_TO_ENUM &&
      read.has(/enum type (\w+)/.exec(description)?.[1] ?? ''),
  );
  return [...breaking, ...values].map(({ description }) => description);
}

function isAnnounced(old: GraphQLSchema, change: BreakingChangeType, description: string): boolean {
  if (change !== BreakingChangeType.FIELD_REMOVED) return false;
  const [, typeName = '', fieldName = ''] = /^(\w+)\.(\w+) was removed/.exec(description) ?? [];
  const type = old.getType(typeName);
  return (
    (isObjectType(type) || isInterfaceType(type)) &&
    type.getFields()[fieldName]?.deprecationReason != null
  );
}

/** The names of the result types of fields. */
const typesRead = (schema: GraphQLSchema): Set<string> =>
  new Set(
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) =>
        Object.values(type.getFields()).map((field) => getNamedType(field.type).name),
      ),
  );
