/** Determines the selected fields below a field, which decide the columns of a statement. */
import {
  type FieldNode,
  type GraphQLResolveInfo,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';

export type Selection = ReadonlyMap<string, Selection>;

const none: Selection = new Map();
const cache = new WeakMap<readonly FieldNode[], Selection>();
const ofRecords = new WeakMap<Selection, Selection>();
const unions = new WeakMap<readonly FieldNode[], Map<string, Selection>>();

/**
 * Fields by name (not by alias), with fragments spread. Fields under `@skip` or `@include` count as
 * selected.
 */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  let selection = cache.get(info.fieldNodes);
  if (!selection) {
    selection = new Map();
    for (const node of info.fieldNodes)
      collect(node.selectionSet, info, selection as Map<string, Selection>);
    cache.set(info.fieldNodes, selection);
  }
  return selection;
}

/** As {@link selectionOf}, for one member type of a union. */
export function selectionOn(info: GraphQLResolveInfo, type: string): Selection {
  const ofTypes = unions.get(info.fieldNodes) ?? new Map<string, Selection>();
  unions.set(info.fieldNodes, ofTypes);
  let selection = ofTypes.get(type);
  if (!selection) {
    const fields = new Map<string, Selection>();
    for (const node of info.fieldNodes) collect(node.selectionSet, info, fields, type);
    ofTypes.set(type, fields);
    selection = fields;
  }
  return selection;
}

/** The selected fields of a connection's records: `nodes` and `edges { node }` combined. */
export function recordsOf(connection: Selection): Selection {
  const edges = connection.get('edges')?.get('node') ?? none;
  const nodes = connection.get('nodes') ?? none;
  if (edges.size === 0) return nodes;
  const selection = ofRecords.get(connection) ?? merge([nodes, edges]);
  ofRecords.set(connection, selection);
  return selection;
}

/** The fields of several selections of one type. */
export function merge(selections: readonly Selection[]): Selection {
  const [only, ...more] = selections;
  if (only && more.length === 0) return only;
  const merged = new Map<string, Selection>();
  for (const [field, below] of selections.flatMap((each) => [...each])) {
    const known = merged.get(field);
    merged.set(field, known ? merge([known, below]) : below);
  }
  return merged;
}

/** @param type Fragments on other types are skipped; a union has one selection per type. */
function collect(
  set: SelectionSetNode | undefined,
  info: GraphQLResolveInfo,
  into: Map<string, Selection>,
  type?: string,
): void {
  for (const node of set?.selections ?? []) {
    if (node.kind === 'Field') {
      const below =
        (into.get(node.name.value) as Map<string, Selection> | undefined) ??
        new Map<string, Selection>();
      collect(node.selectionSet, info, below);
      into.set(node.name.value, below);
    } else {
      const fragment = node.kind === 'InlineFragment' ? node : info.fragments[node.name.value];
      const isOther =
        type &&
        fragment?.typeCondition &&
        isObjectType(info.schema.getType(fragment.typeCondition.name.value)) &&
        fragment.typeCondition.name.value !== type;
      if (!isOther) collect(fragment?.selectionSet, info, into, type);
    }
  }
}
