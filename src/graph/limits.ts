/** What a GraphQL document may ask for before it is compiled. Generous for people and dashboards, and out of reach for bombs. */
import { type DocumentNode, Kind, Lexer, type OperationDefinitionNode, type SelectionSetNode, Source, TokenKind } from 'graphql';
import { ApiError } from '../errors.js';

/** Tokens in a document: the parser stops there. Validation takes time with their square. */
export const maxTokens = 5000;
/** Characters of a document. Long texts are for variables. */
const maxLength = 100_000;
/** Brackets within brackets: the parser and the rules of validation call themselves for each, and would run out of stack. */
const maxNesting = 200;
const maxDepth = 15;
/** Fields after fragments are spread. */
const maxFields = 2000;
/** Fields of the query or mutation itself: each is a statement or more. */
const maxRootFields = 60;
/** Names that one field has in one selection: a chart asks for each week of a year. */
const maxAliases = 60;
const maxDirectives = 100;
/** Names of `__schema` and `__type`: what describes the schema costs nothing else, and is asked for without a token. */
const maxDescriptions = 5;

const refuse = (problem: string): never => {
  throw new ApiError('invalid_request', `The operation ${problem}: ask for less at once.`);
};

const describing: ReadonlySet<string> = new Set(['__schema', '__type']);
const opening: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Looks at a document before it is parsed. A text that is no GraphQL passes: the parser says what is wrong with it.
 * @throws {ApiError} `invalid_request` when it is too long, or nested too deep.
 */
export function checkText(text: string): void {
  if (text.length > maxLength) refuse(`is longer than ${maxLength} characters`);
  // Most have fewer brackets, and need no closer look.
  if ((text.match(/[{[(]/g)?.length ?? 0) <= maxNesting) return;
  const lexer = new Lexer(new Source(text));
  try {
    for (let depth = 0, tokens = 0; tokens < maxTokens && lexer.advance().kind !== TokenKind.EOF; tokens++) {
      depth += opening.has(lexer.token.kind) ? 1 : closing.has(lexer.token.kind) ? -1 : 0;
      if (depth > maxNesting) refuse(`is nested more than ${maxNesting} brackets deep`);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
}

/** @throws {ApiError} `invalid_request` saying which limit the operation is over. */
export function checkLimits(document: DocumentNode, operation: OperationDefinitionNode): void {
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [])),
  );
  let [fields, directives] = [0, operation.directives?.length ?? 0];
  /**
   * @param keys The response keys in this selection, by field.
   * @param most How many each field may have.
   */
  const walk = (set: SelectionSetNode | undefined, depth: number, keys: Map<string, Set<string>>, most: number): void => {
    if (depth > maxDepth) refuse(`is nested more than ${maxDepth} levels deep`);
    for (const node of set?.selections ?? []) {
      directives += node.directives?.length ?? 0;
      if (directives > maxDirectives) refuse(`has more than ${maxDirectives} directives`);
      if (node.kind === Kind.FRAGMENT_SPREAD) walk(fragments.get(node.name.value), depth, keys, most);
      else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet, depth, keys, most);
      else {
        if (++fields > maxFields) refuse(`asks for more than ${maxFields} fields`);
        const { name, alias = name } = node;
        const aliases = keys.get(name.value) ?? new Set();
        keys.set(name.value, aliases.add(alias.value));
        const describes = describing.has(name.value);
        const allowed = describes ? maxDescriptions : most;
        if (aliases.size > allowed) refuse(`asks for ${name.value} under more than ${allowed} names`);
        // No tool asks twice for what describes the schema, and lists within lists of it grow fast.
        walk(node.selectionSet, depth + 1, new Map(), describes ? 1 : most);
      }
    }
  };
  const root = new Map<string, Set<string>>();
  walk(operation.selectionSet, 0, root, maxAliases);
  const roots = [...root.values()].reduce((sum, { size }) => sum + size, 0);
  if (roots > maxRootFields) refuse(`asks for more than ${maxRootFields} fields of ${operation.operation}`);
}
