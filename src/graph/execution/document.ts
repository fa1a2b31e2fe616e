/**
 * Turns the text of a GraphQL document into an executable one: checks limits, parses and validates,
 * in this order.
 */
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  specifiedRules,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import type { Config } from '../../config.js';
import { ApiError, messageOf, type Problems } from '../../errors.js';
import { DocumentErrors, LocatedError, locationsOf } from '../input/document-errors.js';
import { renameFormerTypes } from '../input/former-types.js';
import { LiteralError, LiteralValuesRule } from '../input/literals.js';
import { isFull } from '../input/variables.js';
import { schema } from '../schema.js';
import { checkDocument, checkText, maxAnonymousTokens, maxTokens } from './limits.js';

/** The sender of a document. */
export interface Sender {
  readonly isAnonymous: boolean;
  readonly introspection: Config['GRAPHQL_INTROSPECTION'];
}

/** Maximum number of validation errors. Each error searches all names of a type for suggestions. */
const maxErrors = 20;
/** Maximum length of a message in characters, because some messages quote the input. */
const maxMessageLength = 500;

const rules: readonly ValidationRule[] = [
  ...specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule),
  LiteralValuesRule,
];
const rulesWithoutIntrospection: readonly ValidationRule[] = [
  ...rules,
  NoSchemaIntrospectionCustomRule,
];

/**
 * Returns the document of a text.
 * @throws {ApiError} `invalid_request` when it exceeds a limit, or {@link DocumentErrors} when it
 * is invalid; `unauthenticated` when an anonymous sender requests more than introspection.
 */
export function readDocument(text: string, sender: Sender): DocumentNode {
  checkText(text);
  const document = parseDocument(text, sender.isAnonymous ? maxAnonymousTokens : maxTokens);
  checkDocument(document);
  const introspects =
    sender.introspection === 'true' ||
    (sender.introspection === 'authenticated' && !sender.isAnonymous);
  const isOpen = !sender.isAnonymous || isWithoutToken(document, introspects);
  // When introspection is disabled, messages must not reveal the schema.
  if (!isOpen && !introspects) throw new ApiError('unauthenticated');
  validateDocument(document, introspects);
  if (!isOpen) throw new ApiError('unauthenticated');
  return document;
}

function parseDocument(text: string, tokens: number): DocumentNode {
  try {
    return renameFormerTypes(parse(text, { maxTokens: tokens }));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new DocumentErrors([
      new LocatedError('invalid_request', shorten(error.message), undefined, error.locations ?? []),
    ]);
  }
}

function validateDocument(document: DocumentNode, introspects: boolean): void {
  const source = document.loc?.source;
  const body = source?.body;
  // graphql-js counts all lines of the text per error; locationsOf uses the positions of the
  // tokens.
  if (source) source.body = '';
  const found = validate(schema, document, introspects ? rules : rulesWithoutIntrospection, {
    maxErrors,
    hideSuggestions: !introspects,
  });
  if (source && body !== undefined) source.body = body;
  const literals = found.filter((error) => error instanceof LiteralError);
  const others = found
    .filter((error) => !(error instanceof LiteralError))
    .map(
      (error) =>
        new LocatedError(
          'invalid_request',
          shorten(error.message),
          undefined,
          locationsOf(error.nodes),
        ),
    );
  const [first, ...more] = [...others, ...(literals.length > 0 ? [together(literals)] : [])];
  if (first) throw new DocumentErrors([first, ...more]);
}

/** Combines invalid values of a document into one error, with the same shape as for variables. */
function together(errors: readonly LiteralError[]): LocatedError {
  const details: Problems = Object.create(null);
  for (const { problems } of errors) {
    if (isFull(details)) break;
    for (const [path, said] of Object.entries(problems))
      details[path] = [...new Set([...(details[path] ?? []), ...said])];
  }
  const nodes = errors.flatMap((error) => error.nodes ?? []);
  return new LocatedError(
    'validation_error',
    messageOf('validation_error'),
    details,
    locationsOf(nodes),
  );
}

const shorten = (message: string): string => message.slice(0, maxMessageLength);

/** Whether all operations of a document need no token. */
function isWithoutToken({ definitions }: DocumentNode, introspects: boolean): boolean {
  const open = introspects ? ['__typename', '__schema', '__type'] : ['__typename'];
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const visited = new Set<string>();
  const isOpen = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).every((node) => {
      if (node.kind === Kind.FIELD) return open.includes(node.name.value);
      if (node.kind === Kind.INLINE_FRAGMENT) return isOpen(node.selectionSet);
      if (visited.has(node.name.value)) return true;
      visited.add(node.name.value);
      return isOpen(fragments.get(node.name.value));
    });
  return definitions.every(
    (each) =>
      each.kind !== Kind.OPERATION_DEFINITION ||
      (each.operation === OperationTypeNode.QUERY && isOpen(each.selectionSet)),
  );
}
