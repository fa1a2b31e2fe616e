/** The GraphQL operation behind a REST operation, as a separate document with the same result. */
import {
  astFromValue,
  type DefinitionNode,
  getNullableType,
  Kind,
  print,
  separateOperations,
  valueFromASTUntyped,
} from 'graphql';
import { bodyOf } from '../rest/openapi/demo.js';
import { type Endpoint, readOperations } from '../rest/operations.js';

export interface Twin {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Its link in the GraphQL explorer. */
  readonly link: string;
}

/** @returns A function from an endpoint, and the variables of its path and query, to its twin. */
export function twinsOf(): (endpoint: Endpoint, filled: Readonly<Record<string, unknown>>) => Twin {
  const documents = separateOperations(readOperations());
  return (endpoint, filled) => {
    const operation = documents[endpoint.route.operation];
    if (!operation) throw new Error(`There is no operation ${endpoint.route.operation}.`);
    const document = print({ ...operation, definitions: operation.definitions.toSorted(byKind) });
    const variables = { ...filled, ...bodyVariable(endpoint) };
    const parameters = new URLSearchParams({ document, variables: JSON.stringify(variables) });
    return { document, variables, link: `/graphql?${parameters}` };
  };
}

/** The operation, then its fragments. */
const byKind = (one: DefinitionNode, other: DefinitionNode): number =>
  Number(isFragment(one)) - Number(isFragment(other));
const isFragment = ({ kind }: DefinitionNode): boolean => kind === Kind.FRAGMENT_DEFINITION;

/** The example body with GraphQL's names, including those of enum values. */
function bodyVariable({ body, route }: Endpoint): Record<string, unknown> {
  if (!body) return {};
  const type = getNullableType(body.type);
  const literal = astFromValue(bodyOf(route.operation, String(type)), type);
  return { [body.name]: literal && valueFromASTUntyped(literal) };
}
