/** From a GraphQL document to a function: parsed, checked and compiled once, run many times. */
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  valueFromASTUntyped,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../context.js';
import { ApiError } from '../errors.js';
import { planOf, type Rows } from './cost/plan.js';
import type { Variable } from './input.js';

export interface Operation {
  readonly name: string | undefined;
  readonly kind: OperationDefinitionNode['operation'];
  readonly definition: OperationDefinitionNode;
  /** Whether it has a single field at its root. */
  readonly isSingle: boolean;
  readonly variables: readonly Variable[];
  /** What it can ask for at the most. */
  readonly plan: Rows;
  /** Runs with variables that {@link readVariables} read. */
  readonly run: (context: Context, variables: Record<string, unknown>, root?: object) => ExecutionResult | Promise<ExecutionResult>;
}

interface Spelling {
  /** Give enum values out as the specification spells them (`self-reported`), for REST. */
  readonly specifiedEnums: boolean;
}

/** @throws {ApiError} `invalid_request` when the document has no such operation or can't be compiled. */
export function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  { specifiedEnums }: Spelling,
): Operation {
  const definition = getOperationAST(document, operationName);
  if (!definition) throw new ApiError('invalid_request', 'Name one operation of the document in operationName.');
  const compiled = compileQuery(schema, document, operationName, { disableLeafSerialization: specifiedEnums });
  if (!isCompiledQuery(compiled)) throw new ApiError('invalid_request', compiled.errors?.[0]?.message);
  return {
    name: definition.name?.value,
    kind: definition.operation,
    definition,
    isSingle: definition.selectionSet.selections.length === 1 && definition.selectionSet.selections[0]?.kind === Kind.FIELD,
    variables: variablesOf(schema, definition),
    plan: planOf(schema, definition, fragmentsOf(document)),
    run: (context, variables, root) => compiled.query(root, context, variables),
  };
}

const fragmentsOf = ({ definitions }: DocumentNode) =>
  new Map(definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])));

function variablesOf(schema: GraphQLSchema, definition: OperationDefinitionNode): Variable[] {
  return (definition.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
    const type = typeFromAST(schema, node);
    if (!type || !isInputType(type)) throw new ApiError('invalid_request', `$${variable.name.value} has no input type.`);
    return { name: variable.name.value, type, defaultValue: defaultValue && valueFromASTUntyped(defaultValue) };
  });
}
