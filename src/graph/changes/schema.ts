/** What decorators can't say of the changes. */
import { GraphQLObjectType, GraphQLSchema, isUnionType } from 'graphql';
import { resources } from './resources.js';
import type { ChangedRow } from './type.js';

/**
 * Completes the schema by the subscription `changes`: the query of that name, which the server asks again whenever there is something new. So that both
 * can't differ, it is the same field; the guard of scopes must be in front of it already.
 * @throws {Error} when a kind of record that has changes is missing in the union of records.
 */
export function withChanges(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig();
  const changes = config.query?.toConfig().fields.changes;
  const record = schema.getType('ChangedRecord');
  if (!changes || !isUnionType(record)) throw new Error('The schema has no changes.');
  const known = record.getTypes().map(({ name }) => name);
  const missing = Object.values(resources).find((resource) => !known.includes(resource.record));
  if (missing) throw new Error(`ChangedRecord lacks ${missing.record}.`);
  // Type-GraphQL's own tells the type by a promise, which the compiled executor takes for no type.
  record.resolveType = ({ resourceType }: ChangedRow) => resources[resourceType].record;
  const description =
    'The changes of an organization as they happen, at `POST /graphql/stream` (the protocol of graphql-sse): the page of the query `changes` after the position reached, at first (without a position it is empty, and has the current position) and then whenever there are some. The id of each event is `pageInfo.endCursor`; to resume, send it as `after` or as the header `Last-Event-ID`.';
  const subscription = new GraphQLObjectType({
    name: 'Subscription',
    description: 'What is sent as it happens.',
    fields: { changes: { ...changes, description } },
  });
  return new GraphQLSchema({ ...config, subscription });
}
