/** Schema parts of the change feed that decorators cannot express. */
import { GraphQLObjectType, GraphQLSchema, isUnionType } from 'graphql';
import { resources } from './resources.js';
import type { ChangedRow } from './type.js';

/**
 * Adds the subscription `changes`. It reuses the query field of that name, including its scope
 * guard, so that both cannot differ; call this after `guard`.
 * @throws {Error} when a record type with changes is missing in the union.
 */
export function withChanges(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  const changes = config.query?.toConfig().fields.changes;
  const record = schema.getType('ChangedRecord');
  if (!changes || !isUnionType(record)) throw new Error('The schema has no changes.');
  const known = record.getTypes().map(({ name }) => name);
  const missing = Object.values(resources).find((resource) => !known.includes(resource.record));
  if (missing) throw new Error(`ChangedRecord lacks ${missing.record}.`);
  // Type-GraphQL resolves the type asynchronously, which the compiled executor does not support.
  record.resolveType = ({ resourceType }: ChangedRow) => resources[resourceType].record;
  const description =
    'Streams the changes in an organization as they happen, at `POST /graphql/stream` (graphql-sse protocol). Each event is a page of the query `changes` after the previous one. The first event is sent at once; without a cursor it is empty and has the current position. Later events are sent when there are changes. The id of each event is `pageInfo.endCursor`; to resume, send it as `after` or as the header `Last-Event-ID`.';
  const subscription = new GraphQLObjectType({
    name: 'Subscription',
    description: 'The subscriptions, available at `POST /graphql/stream`.',
    fields: { changes: { ...changes, description } },
  });
  return new GraphQLSchema({ ...config, subscription });
}
