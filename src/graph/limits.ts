/** What a GraphQL document may ask for before it is compiled. Generous for people and dashboards, and out of reach for bombs. */
import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { ApiError } from '../errors.js';

/** Tokens in a document: the parser stops there. */
export const maxTokens = 10_000;
const maxDepth = 15;
/** Fields after fragments are spread, introspection left out. */
const maxFields = 2000;

/** @throws {ApiError} `invalid_request` saying which limit the operation is over. */
export function checkLimits(document: DocumentNode, operation: OperationDefinitionNode): void {
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [])),
  );
  let fields = 0;
  const walk = (set: SelectionSetNode | undefined, depth: number): void => {
    if (depth > maxDepth)
      throw new ApiError('invalid_request', `The query is nested more than ${maxDepth} levels deep: ask for less at once.`);
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FRAGMENT_SPREAD) walk(fragments.get(node.name.value), depth);
      else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet, depth);
      else {
        if (++fields > maxFields)
          throw new ApiError('invalid_request', `The query asks for more than ${maxFields} fields: ask for less at once.`);
        walk(node.selectionSet, depth + 1);
      }
    }
  };
  walk(operation.selectionSet, 0);
}
