/**
 * Records by id alone, of any type that the caller can read. Ids are UUIDs without a type, so one
 * statement per type looks for them, all in one round trip, among the records that the caller can
 * reach. What the caller cannot read takes the same statements as what does not exist.
 */
import DataLoader from 'dataloader';
import { type GraphQLResolveInfo, type GraphQLSchema, isInterfaceType } from 'graphql';
import { Arg, Ctx, Info, Query, Resolver } from 'type-graphql';
import { Access, isManager, type Principal } from '../auth/policy.js';
import type { Context } from '../context.js';
import type { ResourceType } from '../entities/change-feed.js';
import { Node } from '../entities/node.js';
import { invalid } from '../errors.js';
import { UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { resources } from './changes/resources.js';
import { SizedBy } from './cost/plan.js';
import { available } from './definitions/reads.js';
import { columnsFor } from './reads/projection.js';
import { merge, type Selection, selectionOn } from './reads/selection.js';

/** A record with its type. */
interface NodeRow {
  readonly id: string;
  readonly nodeType: ResourceType;
}

/** An id, and the field that selects its properties. */
interface Key {
  readonly id: string;
  readonly info: GraphQLResolveInfo;
}

type Loader = DataLoader<Key, NodeRow | null, string>;

/** Maximum number of ids of one field. */
export const maxIds = 100;

/** The record types with an id of their own. The others have the ids of two records as their key. */
const nodeTypes = (Object.keys(resources) as ResourceType[]).filter(
  (type) => resources[type].keys.length === 1,
);

/**
 * Resolves the type of a node. Type-GraphQL would do it asynchronously, which the compiled executor
 * does not support.
 * @throws {Error} when a record type with an id of its own does not implement the interface.
 */
export function resolveNodeTypes(schema: GraphQLSchema): GraphQLSchema {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('The schema has no interface Node.');
  const known = schema.getPossibleTypes(node).map(({ name }) => name);
  const missing = nodeTypes.find((type) => !known.includes(resources[type].record));
  if (missing) throw new Error(`${resources[missing].record} does not implement Node.`);
  node.resolveType = ({ nodeType }: NodeRow) => resources[nodeType].record;
  return schema;
}

/** The loader of a request, for all its fields `node` and `nodes`. */
function loaderOf(ctx: Context, principal: Principal): Loader {
  const known = ctx.loaders.get(loaderOf) as Loader | undefined;
  if (known) return known;
  const loader: Loader = new DataLoader((keys) => readNodes(ctx, principal, keys), {
    cache: false,
  });
  ctx.loaders.set(loaderOf, loader);
  return loader;
}

async function readNodes(
  ctx: Context,
  principal: Principal,
  keys: readonly Key[],
): Promise<(NodeRow | null)[]> {
  const ids = [...new Set(keys.map(({ id }) => id))];
  // One per field: all ids of a field have the same selection.
  const fields = [...new Map(keys.map(({ info }) => [info.fieldNodes, info])).values()];
  const read = (type: ResourceType): Promise<NodeRow[]> => {
    const selection = merge(fields.map((info) => selectionOn(info, resources[type].record)));
    return readType(ctx, principal, type, ids, selection);
  };
  const found = new Map(
    (await Promise.all(nodeTypes.map(read))).flat().map((row) => [row.id, row] as const),
  );
  return keys.map(({ id }) => found.get(id) ?? null);
}

/** The records of one type that the caller can read: none without its scope or an approval. */
async function readType(
  ctx: Context,
  principal: Principal,
  type: ResourceType,
  ids: readonly string[],
  selection: Selection,
): Promise<NodeRow[]> {
  const { projection, scope, keys, owner, holder, shared } = resources[type];
  if (!principal.apiScopes.includes(scope)) return [];
  const memberships = new Access(principal, [scope]).approvedOrganizations();
  if (memberships.length === 0 && !shared) return [];
  const { list, from } = columnsFor(projection, selection);
  const organizationIds = memberships.map(({ organizationId }) => organizationId);
  const values: unknown[] = [ids, organizationIds];
  const conditions = [`${keys[0]} = any($1::uuid[])`];
  conditions.push(shared ? available(shared, '$2') : `${owner} = any($2::uuid[])`);
  if (holder) {
    conditions.push(`(${owner} = any($3::uuid[]) or ${holder.column} = any($4::uuid[]))`);
    values.push(
      memberships.filter(isManager).map(({ organizationId }) => organizationId),
      memberships.map(({ memberId }) => memberId),
    );
  }
  return ctx.db.query<NodeRow>(
    `select ${list}, '${type}' as "nodeType" from ${from} where ${conditions.join(' and ')}`,
    values,
    { isBatched: true },
  );
}

const visible =
  'It is null when there is no record with this id, or when the app or the person cannot read it: ' +
  'each type requires its read scope, and members without the `admin` or `manager` role see only ' +
  'their own membership and certification records.';

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: `Returns the record with this id, of any type that implements \`Node\`. ${visible}`,
  })
  @Scope()
  node(
    @Arg('id', () => UUID, { description: 'The id of the record.' }) id: string,
    @Caller() { principal }: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return loaderOf(ctx, principal).load({ id, info });
  }

  @SizedBy('ids')
  @Query(() => [Node], {
    nullable: 'items',
    description: `Returns the records with these ids, in their order. ${visible.replace('It', 'An entry')}`,
  })
  @Scope()
  async nodes(
    @Arg('ids', () => [UUID], { description: `The ids of the records: up to ${maxIds}.` })
    ids: string[],
    @Caller() { principal }: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (ids.length > maxIds) throw invalid({ ids: [`must have at most ${maxIds} entries`] });
    const loader = loaderOf(ctx, principal);
    return Promise.all(ids.map((id) => loader.load({ id, info })));
  }
}
