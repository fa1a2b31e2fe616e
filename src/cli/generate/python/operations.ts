/** Generates the operations of the Python client: a typed method for each. */
import { type Document, docstring, nameOf, type Operation, origin, typeOf } from './document.js';

const head = `${docstring(`The operations of the API. ${origin}`)}
from __future__ import annotations

from . import models
from .lists import List, SyncList
from .transport import Transport


class Operations:
    """One method per operation. A method returns the \`data\` of the response."""

    _transport: Transport
`;

/** Writes the class with one method per operation. */
export function writePythonOperations({ paths }: Document): string {
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodOf(path, method, operation)),
  );
  return [head, ...methods].join('\n');
}

/** Headers that have a parameter. */
const headerParameters: Readonly<Record<string, string>> = {
  'Idempotency-Key': 'idempotency_key',
  'If-Match': 'if_match',
};

function methodOf(path: string, method: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // The list sends the cursor itself.
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'cursor');
  const queryNames = query.map(({ name = '' }) => name);
  const [header] = parameters.map(({ $ref = '' }) => nameOf($ref)).filter(isHeader);
  const body = operation.requestBody?.content?.['application/json'].schema.$ref;
  const options = [
    ...query.map(({ name, schema }) => `${name}: ${typeOf(schema ?? {}, fail)} | None = None`),
    ...(header ? [`${headerParameters[header]}: str | None = None`] : []),
  ];
  const signature = [
    'self',
    ...inPath.map((name) => `${name}: str`),
    ...(body ? [`body: models.${nameOf(body)}`] : []),
    ...(options.length > 0 ? ['*', ...options] : []),
  ];
  const { type, isPaged } = answerOf(operation);
  const call = isPaged
    ? ['self._transport', `"${path}"`, dictionary(inPath), dictionary(queryNames)]
    : [
        `"${method.toUpperCase()}"`,
        `"${path}"`,
        dictionary(inPath),
        ...(body ? ['body=body'] : []),
        ...(header ? [`headers={"${header}": ${headerParameters[header]}}`] : []),
      ];
  const name = operation.operationId.replaceAll(/[A-Z]/g, (each) => `_${each.toLowerCase()}`);
  return `    def ${name}(
${lines(signature, '        ')}    ) -> ${type}:
${docstring(operation.description, '        ')}        ${beginOf(type, isPaged)}(
${lines(call, '            ')}        )
${isPaged || type === 'None' ? '' : '        return data\n'}`;
}

const isHeader = (name: string): boolean => name in headerParameters;

function dictionary(names: readonly string[]): string {
  const entries = names.map((name) => `"${name}": ${name}`);
  if (names.length < 3) return `{${entries.join(', ')}}`;
  return `{\n${lines(entries, '                ')}            }`;
}

const lines = (parts: readonly string[], indent: string): string =>
  parts.map((part) => `${indent}${part},\n`).join('');

function beginOf(type: string, isPaged: boolean): string {
  if (isPaged) return `return ${type}`;
  return type === 'None' ? 'self._transport.call' : `data: ${type} = self._transport.call`;
}

/** The type of a success: a record, an array of records, a list in pages, or nothing. */
function answerOf({ responses, parameters = [] }: Operation): { type: string; isPaged: boolean } {
  const success = (responses['200'] ?? responses['201'])?.content?.['application/json'];
  const { data, page } = success?.schema.properties ?? {};
  if (!data) return { type: 'None', isPaged: false };
  const model = `models.${typeOf(data.items ?? data, fail)}`;
  if (!page) return { type: data.items ? `list[${model}]` : model, isPaged: false };
  const list = parameters.some(({ name }) => name === 'updated_after') ? 'SyncList' : 'List';
  return { type: `${list}[${model}]`, isPaged: true };
}

function fail(): never {
  throw new Error('Parameters have simple types, and responses named ones.');
}
