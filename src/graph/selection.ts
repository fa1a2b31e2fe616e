/** Which fields an operation asks for below a field: what decides the columns of a statement. */
import type { FieldNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';

export type Selection = ReadonlyMap<string, Selection>;

const none: Selection = new Map();
const cache = new WeakMap<readonly FieldNode[], Selection>();

/** Fields by name (not by alias), fragments spread. What `@skip` or `@include` may leave out counts as asked for. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  let selection = cache.get(info.fieldNodes);
  if (!selection) {
    selection = new Map();
    for (const node of info.fieldNodes) collect(node.selectionSet, info, selection as Map<string, Selection>);
    cache.set(info.fieldNodes, selection);
  }
  return selection;
}

/** The records that a connection is asked for: `nodes` and `edges { node }` together. */
export function recordsOf(connection: Selection): Selection {
  const edges = connection.get('edges')?.get('node') ?? none;
  const nodes = connection.get('nodes') ?? none;
  return edges.size === 0 ? nodes : new Map([...nodes, ...edges]);
}

function collect(set: SelectionSetNode | undefined, info: GraphQLResolveInfo, into: Map<string, Selection>): void {
  for (const node of set?.selections ?? []) {
    if (node.kind === 'Field') {
      const below = (into.get(node.name.value) as Map<string, Selection> | undefined) ?? new Map<string, Selection>();
      collect(node.selectionSet, info, below);
      into.set(node.name.value, below);
    } else {
      collect(node.kind === 'InlineFragment' ? node.selectionSet : info.fragments[node.name.value]?.selectionSet, info, into);
    }
  }
}
