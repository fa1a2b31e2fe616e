/** What a GraphQL document may ask for before it is compiled. Generous for people and dashboards, and out of reach for bombs. */
import { type DocumentNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { ApiError } from '../errors.js';

/** Tokens in a document: the parser stops there. Validation takes time with their square. */
export const maxTokens = 5000;
const maxDepth = 15;
/** Fields after fragments are spread. */
const maxFields = 2000;
/** Fields of the query or mutation itself: each is a statement or more. */
const maxRootFields = 60;
/** Names that one field has in one selection: a chart asks for each week of a year. */
const maxAliases = 60;
const maxDirectives = 100;

const refuse = (problem: string): never => {
  throw new ApiError('invalid_request', `The operation ${problem}: ask for less at once.`);
};

/** @throws {ApiError} `invalid_request` saying which limit the operation is over. */
export function checkLimits(document: DocumentNode, operation: OperationDefinitionNode): void {
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [])),
  );
  let [fields, directives] = [0, operation.directives?.length ?? 0];
  /** @param keys The response keys in this selection, by field. */
  const walk = (set: SelectionSetNode | undefined, depth: number, keys: Map<string, Set<string>>): void => {
    if (depth > maxDepth) refuse(`is nested more than ${maxDepth} levels deep`);
    for (const node of set?.selections ?? []) {
      directives += node.directives?.length ?? 0;
      if (directives > maxDirectives) refuse(`has more than ${maxDirectives} directives`);
      if (node.kind === Kind.FRAGMENT_SPREAD) walk(fragments.get(node.name.value), depth, keys);
      else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet, depth, keys);
      else {
        if (++fields > maxFields) refuse(`asks for more than ${maxFields} fields`);
        const { name, alias = name } = node;
        const aliases = keys.get(name.value) ?? new Set();
        keys.set(name.value, aliases.add(alias.value));
        if (aliases.size > maxAliases) refuse(`asks for ${name.value} under more than ${maxAliases} names`);
        walk(node.selectionSet, depth + 1, new Map());
      }
    }
  };
  const root = new Map<string, Set<string>>();
  walk(operation.selectionSet, 0, root);
  const roots = [...root.values()].reduce((sum, { size }) => sum + size, 0);
  if (roots > maxRootFields) refuse(`asks for more than ${maxRootFields} fields of ${operation.operation}`);
}
