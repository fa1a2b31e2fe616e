/** Names of 0.1.0 for types of variables, so that documents of its clients stay valid. */
import { type DocumentNode, visit } from 'graphql';

/** The type that the schema shows now, by its name in 0.1.0. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  ['UUID', 'ID'],
  ['PageSize', 'Int'],
  ['Cursor', 'String'],
]);

/** Renames the types of variables that the schema shows under a former name. */
export const renameFormerTypes = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet: () => false,
    FragmentDefinition: () => false,
    NamedType(node) {
      const value = formerNames.get(node.name.value);
      return value && { ...node, name: { ...node.name, value } };
    },
  });
