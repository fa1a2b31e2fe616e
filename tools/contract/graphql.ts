/** Which change of the GraphQL schema breaks a client that was made for the one before. */
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
 * @returns What breaks, one line each: what graphql-js finds and, as in REST, a new value where clients read an enum. What the old schema announced as
 * deprecated may go.
 */
export function compareGraphql(oldSdl: string, nowSdl: string): string[] {
  const [old, now] = [buildSchema(oldSdl), buildSchema(nowSdl)];
  const breaking = findBreakingChanges(old, now).filter(({ type, description }) => !isAnnounced(old, type, description));
  const read = typesRead(now);
  const values = findDangerousChanges(old, now).filter(
    ({ type, description }) => type === DangerousChangeType.VALUE_ADDED_TO_ENUM && read.has(/enum type (\w+)/.exec(description)?.[1] ?? ''),
  );
  return [...breaking, ...values].map(({ description }) => description);
}

function isAnnounced(old: GraphQLSchema, change: BreakingChangeType, description: string): boolean {
  if (change !== BreakingChangeType.FIELD_REMOVED) return false;
  const [, typeName = '', fieldName = ''] = /^(\w+)\.(\w+) was removed/.exec(description) ?? [];
  const type = old.getType(typeName);
  return (isObjectType(type) || isInterfaceType(type)) && type.getFields()[fieldName]?.deprecationReason != null;
}

/** The names of the types that fields answer with. */
const typesRead = (schema: GraphQLSchema): Set<string> =>
  new Set(
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type).name)),
  );
