/** Collects the selected fields of a type. */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
} from 'graphql';

export interface Source {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * The selected fields by response key, with fragments spread and duplicates merged. Fields under
 * `@skip` count as selected.
 */
export function collect(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  within: Source,
  into = new Map<string, [FieldNode, ...FieldNode[]]>(),
) {
  for (const node of sets.flatMap(({ selections }) => selections)) {
    if (node.kind === Kind.FIELD) {
      const key = (node.alias ?? node.name).value;
      const known = into.get(key);
      if (known) known.push(node);
      else into.set(key, [node]);
    } else {
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT ? node : within.fragments.get(node.name.value);
      if (fragment && fits(type, fragment.typeCondition, within))
        collect(type, [fragment.selectionSet], within, into);
    }
  }
  return into;
}

function fits(
  type: GraphQLObjectType,
  condition: NamedTypeNode | undefined,
  { schema }: Source,
): boolean {
  const wanted = condition && schema.getType(condition.name.value);
  return !wanted || wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
}
