/** Example requests and responses of operations. */
import { getNamedType, isObjectType, type SelectionSetNode } from 'graphql';
import type { Answer } from '../../graph/execution/idempotency.js';
import { restDialect } from '../../graph/input/dialect.js';
import type { Endpoint } from '../operations.js';
import { toAnswer } from '../reply.js';
import * as demo from './demo.js';
import { aliasOf, type Json, type Selections } from './schemas.js';

const toWire = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [restDialect.wireName(name), toWire(each)]),
  );
};

const bodyOf = ({ body, route }: Endpoint): Json | undefined =>
  body && demo.bodyOf(route.operation, getNamedType(body.type).name);

/** An example body of the operation. */
export const exampleBody = (endpoint: Endpoint): unknown => toWire(bodyOf(endpoint));

/** The response to {@link exampleBody}. */
export function exampleAnswer(endpoint: Endpoint, selections: Selections): Answer {
  const { selection } = endpoint;
  const data = {
    [aliasOf(selection)]: select(resultOf(endpoint), selection.selectionSet, selections),
  };
  return toAnswer(endpoint, { data }, demo.pathExamples);
}

function resultOf(endpoint: Endpoint): unknown {
  const named = getNamedType(endpoint.field.type);
  const nodes = isObjectType(named) ? named.getFields().nodes : undefined;
  if (!nodes)
    return Array.isArray(demo.records[named.name])
      ? demo.records[named.name]
      : {
          ...(demo.records[named.name] as Json),
          ...demo.initialOf(endpoint.route.operation),
          ...bodyOf(endpoint),
        };
  return { nodes: [demo.records[getNamedType(nodes.type).name]], pageInfo: demo.pageInfo };
}

function select(
  value: unknown,
  set: SelectionSetNode | undefined,
  selections: Selections,
): unknown {
  if (!set || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => select(each, set, selections));
  const fields = selections.fieldsOf(set);
  return Object.fromEntries(
    fields.map((node) => [
      aliasOf(node),
      select((value as Json)[node.name.value], node.selectionSet, selections),
    ]),
  );
}
