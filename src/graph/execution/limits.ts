/**
 * Limits of a GraphQL document, checked before validation: several validation rules take quadratic
 * time or worse. The limits are generous for people and dashboards, and stop abusive documents.
 */
import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
} from 'graphql';
import { ApiError } from '../../errors.js';

/** Maximum number of tokens. The parser stops there. */
export const maxTokens = 5000;
/**
 * Maximum number of tokens without an access token. The introspection query of any tool has about
 * 350.
 */
export const maxAnonymousTokens = 1000;
/** Maximum length in characters. Long texts belong in variables. */
const maxLength = 100_000;
/**
 * Maximum nesting of brackets. The parser and the validation rules recurse for each level and could
 * exhaust the stack.
 */
const maxNesting = 200;
const maxOperations = 50;
const maxFragments = 200;
const maxVariables = 100;
const maxDepth = 15;
/** Maximum number of fields of an operation, with fragments spread. */
const maxFields = 2000;
/** Maximum number of selections in all operations and fragments, with fragments spread. */
const maxSelections = 10_000;
/**
 * Maximum number of field pairs that validation compares to merge fields. Each takes about a
 * microsecond.
 */
const maxComparisons = 20_000;
/** Maximum number of root fields. Each takes a statement or more. */
const maxRootFields = 60;
/**
 * Maximum number of mutations in a document. They share one transaction, whose locks block others.
 * Each counts as a request.
 */
export const maxMutations = 20;
/**
 * Maximum number of aliases of a field in one selection. A chart may request each week of a year.
 */
const maxAliases = 60;
const maxDirectives = 100;
/** Introspection fields. They have no cost and need no token. */
const maxDescriptions: Readonly<Record<string, number>> = { __schema: 1, __type: 5 };

const rejectDocument = (problem: string, subject = 'operation'): never => {
  throw new ApiError(
    'invalid_request',
    `The ${subject} ${problem}: split it into smaller requests.`,
  );
};

const opening: ReadonlySet<string> = new Set([
  TokenKind.BRACE_L,
  TokenKind.BRACKET_L,
  TokenKind.PAREN_L,
]);
const closing: ReadonlySet<string> = new Set([
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.PAREN_R,
]);

/**
 * Checks a document before parsing. A text that is not GraphQL passes, because the parser reports
 * it.
 * @throws {ApiError} `invalid_request` when it is too long or nested too deeply.
 */
export function checkText(text: string): void {
  if (text.length > maxLength) rejectDocument(`is longer than ${maxLength} characters`);
  // Most documents have fewer brackets and need no further check.
  if ((text.match(/[{[(]/g)?.length ?? 0) <= maxNesting) return;
  const lexer = new Lexer(new Source(text));
  try {
    for (
      let depth = 0, tokens = 0;
      tokens < maxTokens && lexer.advance().kind !== TokenKind.EOF;
      tokens++
    ) {
      depth += opening.has(lexer.token.kind) ? 1 : closing.has(lexer.token.kind) ? -1 : 0;
      if (depth > maxNesting) rejectDocument(`is nested more than ${maxNesting} brackets deep`);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;
type Executable = OperationDefinitionNode | FragmentDefinitionNode;

const isExecutable = (node: DefinitionNode): node is Executable =>
  node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION;

/**
 * Checks all operations and fragments of a document, because validation reads unused ones too.
 * @throws {ApiError} `invalid_request` that names the exceeded limit.
 */
export function checkDocument({ definitions }: DocumentNode): void {
  const executable = definitions.filter(isExecutable);
  const operations = executable.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const fragments: Fragments = new Map(
    executable.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  if (operations.length > maxOperations)
    rejectDocument(`has more than ${maxOperations} operations`, 'document');
  if (executable.length - operations.length > maxFragments)
    rejectDocument(`has more than ${maxFragments} fragments`, 'document');
  if (
    operations.some(({ variableDefinitions }) => (variableDefinitions?.length ?? 0) > maxVariables)
  )
    rejectDocument(`has more than ${maxVariables} variables`);
  checkSizes(executable, fragments);
  let comparisons = 0;
  for (const each of executable) comparisons += checkSelections(each, fragments);
  if (comparisons > maxComparisons)
    rejectDocument('has too many fields and fragments under the same names', 'document');
}

/** The number of selections, counting a fragment each time it is spread. */
interface Size {
  readonly fields: number;
  readonly selections: number;
}

/** Each fragment is counted once, so that the time does not grow with the expansion. */
function checkSizes(executable: readonly Executable[], fragments: Fragments): void {
  const known = new Map<string, Size | undefined>();
  const sizeOfFragment = (name: string): Size => {
    const size = known.get(name);
    if (size) return size;
    if (known.has(name))
      throw new ApiError(
        'invalid_request',
        `Cannot spread fragment "${name.slice(0, 100)}" within itself.`,
      );
    known.set(name, undefined);
    const counted = sizeOf(fragments.get(name)?.selectionSet);
    known.set(name, counted);
    return counted;
  };
  const sizeOf = (set: SelectionSetNode | undefined): Size => {
    let [fields, selections] = [0, 0];
    for (const node of set?.selections ?? []) {
      const below =
        node.kind === Kind.FRAGMENT_SPREAD
          ? sizeOfFragment(node.name.value)
          : sizeOf(node.selectionSet);
      fields += below.fields + (node.kind === Kind.FIELD ? 1 : 0);
      selections += below.selections + 1;
    }
    return { fields, selections };
  };
  let total = 0;
  for (const { kind, selectionSet } of executable) {
    const { fields, selections } = sizeOf(selectionSet);
    if (kind === Kind.OPERATION_DEFINITION && fields > maxFields)
      rejectDocument(`has more than ${maxFields} fields`);
    total += selections;
  }
  if (total > maxSelections)
    rejectDocument(
      `has more than ${maxSelections} fields and fragments, once these are spread`,
      'document',
    );
}

/** The selections of one object: those of all merged fields, with fragments spread. */
interface Level {
  /** Selections by response name. */
  readonly fields: Map<string, Set<FieldNode>>;
  /** Response names by field. */
  readonly names: Map<string, Set<string>>;
  readonly fragments: Set<string>;
}

/** @returns The number of pairs that validation compares. */
function checkSelections(definition: Executable, fragments: Fragments): number {
  let [comparisons, directives] = [0, 0];
  const countDirectives = (node: Executable | SelectionNode): void => {
    directives += node.directives?.length ?? 0;
    if (directives > maxDirectives) rejectDocument(`has more than ${maxDirectives} directives`);
  };
  const gather = (set: SelectionSetNode | undefined, into: Level): void => {
    for (const node of set?.selections ?? []) {
      countDirectives(node);
      if (node.kind === Kind.FIELD) addField(node, into);
      else if (node.kind === Kind.INLINE_FRAGMENT) gather(node.selectionSet, into);
      else if (!into.fragments.has(node.name.value)) {
        into.fragments.add(node.name.value);
        gather(fragments.get(node.name.value)?.selectionSet, into);
      }
    }
  };
  /** @param most Maximum number of response names of a field. */
  const walk = (
    sets: readonly (SelectionSetNode | undefined)[],
    depth: number,
    most: number,
  ): Level => {
    const level: Level = { fields: new Map(), names: new Map(), fragments: new Set() };
    for (const set of sets) gather(set, level);
    comparisons += comparisonsOf(level);
    for (const [name, { size }] of level.names) {
      const allowed = Math.min(most, maxDescriptions[name] ?? most);
      if (size > allowed) rejectDocument(`has ${name} under more than ${allowed} aliases`);
    }
    for (const nodes of level.fields.values()) {
      if (depth >= maxDepth) rejectDocument(`is nested more than ${maxDepth} levels deep`);
      const merged = [...nodes];
      // No tool repeats introspection fields, and nested lists of them grow fast.
      const isDescribing = merged.some(({ name }) => Object.hasOwn(maxDescriptions, name.value));
      walk(
        merged.map(({ selectionSet }) => selectionSet),
        depth + 1,
        isDescribing ? 1 : most,
      );
    }
    return level;
  };
  countDirectives(definition);
  const root = walk([definition.selectionSet], 0, maxAliases);
  const roots = root.fields.size;
  if (
    definition.kind === Kind.OPERATION_DEFINITION &&
    definition.operation === 'mutation' &&
    roots > maxMutations
  ) {
    throw new ApiError(
      'invalid_request',
      `A document can have at most ${maxMutations} mutations, and this one has ${roots}: send the others in another request.`,
    );
  }
  if (definition.kind === Kind.OPERATION_DEFINITION && roots > maxRootFields)
    rejectDocument(`has more than ${maxRootFields} root fields in a ${definition.operation}`);
  return comparisons;
}

function addField(node: FieldNode, { fields, names }: Level): void {
  const name = node.name.value;
  const responseName = (node.alias ?? node.name).value;
  // The compiled code would set the prototype of the result instead of a property.
  if (responseName === '__proto__')
    throw new ApiError('invalid_request', 'The name __proto__ is reserved: choose another alias.');
  const nodes = fields.get(responseName);
  if (nodes) nodes.add(node);
  else fields.set(responseName, new Set([node]));
  const responseNames = names.get(name);
  if (responseNames) responseNames.add(responseName);
  else names.set(name, new Set([responseName]));
}

/** Characters of arguments that take as long to compare as a field. */
const argumentLength = 20;

/**
 * An upper bound of the comparisons in OverlappingFieldsCanBeMergedRule: fields of one name with
 * each other, including arguments, and each fragment with all others.
 */
function comparisonsOf({ fields, fragments }: Level): number {
  let [pairs, nodes] = [0, 0];
  for (const group of fields.values()) {
    nodes += group.size;
    if (group.size === 1) continue;
    let weight = 0;
    for (const { arguments: args = [] } of group) {
      const [first, last] = [args[0]?.loc, args.at(-1)?.loc];
      weight += 1 + (first && last ? (last.end - first.start) / argumentLength : 0);
    }
    pairs += (weight * (group.size - 1)) / 2;
  }
  return pairs + fragments.size * (nodes + fragments.size);
}
