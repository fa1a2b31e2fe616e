/**
 * Compiles a GraphQL document to a function. Parsing, checks and compilation happen once per
 * document.
 */
import {
  type ConstValueNode,
  type DocumentNode,
  type ExecutionResult,
  executeSync,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import type { ApiScope } from '../../auth/scopes.js';
import type { Context } from '../../context.js';
import { ApiError } from '../../errors.js';
import { scopesOf } from '../access.js';
import { planOf, type Rows } from '../cost/plan.js';
import { graphqlDialect } from '../input/dialect.js';
import { locationsOf } from '../input/document-errors.js';
import { ruledType, rulesOfVariables } from '../input/shown-types.js';
import { pathOf, readVariables, type Variable } from '../input/variables.js';
import { type CompiledQuery, compileOperation } from './graphql-jit-internals.js';

/** An operation with a known cost. */
export interface Operation {
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode['operation'];
  readonly definition: OperationDefinitionNode;
  /** Maximum number of root fields, including those of fragments. */
  readonly rootFields: number;
  /** API scopes that its root fields require. */
  readonly scopes: readonly ApiScope[];
  readonly variables: readonly Variable[];
  /** The maximum cost plan of the operation. */
  readonly plan: Rows;
  /**
   * Compiles the operation on first use. Compilation takes longer than the cost calculation, so the
   * cost is checked first.
   * @throws {ApiError} `invalid_request` when it cannot be compiled.
   */
  readonly prepare: () => void;
  /** Runs with variables from {@link readVariables}. */
  readonly run: (
    context: Context,
    variables: Record<string, unknown>,
    root?: object,
  ) => ExecutionResult | Promise<ExecutionResult>;
}

interface Spelling {
  /** Return enum values in the spelling of the specification (`self-reported`), for REST. */
  readonly specifiedEnums: boolean;
}

/** @throws {ApiError} `invalid_request` when the document does not contain the operation. */
export function operationOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  { specifiedEnums }: Spelling,
): Operation {
  let compiled: CompiledQuery | undefined;
  return {
    ...descriptionOf(schema, document, operationName),
    prepare() {
      compiled ??= compileOperation(schema, document, operationName, !specifiedEnums);
    },
    run(context, variables, root) {
      compiled ??= compileOperation(schema, document, operationName, !specifiedEnums);
      return compiled.query(root, context, variables);
    },
  };
}

/**
 * An introspection operation. It is not compiled, because compiling takes longer than running it
 * once.
 * @throws {ApiError} As {@link operationOf}.
 */
export function introspectionOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Operation {
  const run: Operation['run'] = (_, variableValues) =>
    executeSync({ schema, document, operationName, variableValues });
  return { ...descriptionOf(schema, document, operationName), prepare: () => {}, run };
}

function descriptionOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
) {
  const definition = getOperationAST(document, operationName);
  if (!definition)
    throw new ApiError('invalid_request', 'Name one operation of the document in operationName.');
  const roots = rootFieldsOf(document, definition);
  return {
    name: definition.name?.value,
    kind: definition.operation,
    definition,
    rootFields: roots.length,
    scopes: [
      ...new Set(
        roots.flatMap(({ name }) => scopesIn(schema.getRootType(definition.operation), name.value)),
      ),
    ],
    variables: variablesOf(schema, document, definition),
    plan: planOf(schema, definition, fragmentsOf(document)),
  };
}

/** The root fields of an operation by response name. */
export function rootFieldsOf(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): FieldNode[] {
  const fragments = fragmentsOf(document);
  const fields = new Map<string, FieldNode>();
  const walk = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.FIELD) fields.set((node.alias ?? node.name).value, node);
      else if (node.kind === Kind.INLINE_FRAGMENT) walk(node.selectionSet);
      else {
        walk(fragments.get(node.name.value)?.selectionSet);
        // A fragment that is spread again adds no fields.
        fragments.delete(node.name.value);
      }
    }
  };
  walk(selectionSet);
  return [...fields.values()];
}

const scopesIn = (
  type: GraphQLObjectType | null | undefined,
  name: string,
): readonly ApiScope[] => {
  const field = type?.getFields()[name];
  return (field && scopesOf(field)) ?? [];
};

const fragmentsOf = ({ definitions }: DocumentNode) =>
  new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );

/**
 * The variables of an operation, each with the rule of the argument that it is sent as.
 * @throws {ApiError} `validation_error` when a default violates such a rule.
 */
function variablesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): Variable[] {
  const rules = rulesOfVariables(schema, document, definition);
  return (definition.variableDefinitions ?? []).map((node) => {
    const name = node.variable.name.value;
    const declared = typeFromAST(schema, node.type);
    if (!declared || !isInputType(declared))
      throw new ApiError('invalid_request', `$${name} has no input type.`);
    const type = ruledType(declared, rules.get(name));
    const variable = { name, type, path: pathOf({ name, type }), locations: locationsOf([node]) };
    return { ...variable, defaultValue: defaultOf(variable, node.defaultValue) };
  });
}

/** The default of a variable as its type reads it. */
function defaultOf(
  variable: Omit<Variable, 'defaultValue'>,
  node: ConstValueNode | undefined,
): unknown {
  if (!node) return undefined;
  const { name } = variable;
  const given = { [name]: valueFromASTUntyped(node) };
  return readVariables([{ ...variable, defaultValue: undefined }], given, graphqlDialect)[name];
}
