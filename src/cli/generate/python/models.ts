/** Generates the types of the Python client: records and request bodies as typed dictionaries. */
import { type Document, docstring, origin, type Schema, typeOf } from './document.js';

const head = `${docstring(`The records and request bodies of the API. ${origin}`)}
from __future__ import annotations

from typing import Literal, NotRequired, TypedDict
`;

/** Writes the classes and aliases of all schemas. */
export function writePythonModels({ components }: Document): string {
  const parts = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .flatMap(([name, schema]) => declarationsOf(name, schema));
  return [head, ...parts].join('\n\n');
}

/** A schema, after the objects inside it that have no name of their own. */
function declarationsOf(name: string, schema: Schema): string[] {
  const description = schema.description ?? '';
  if (schema.enum) {
    const values = schema.enum.map((value) => `"${value}"`).join(', ');
    return [`${name} = Literal[${values}]\n${docstring(description)}`];
  }
  const nested: string[] = [];
  const fields = Object.entries(schema.properties ?? {}).map(([field, each]) => {
    const type = typeOf(each, (object) => {
      const innerName = `${name}${field.charAt(0).toUpperCase()}${field.slice(1)}`.replace(
        /s$/,
        '',
      );
      nested.push(...declarationsOf(innerName, { description: each.description ?? '', ...object }));
      return innerName;
    });
    const value = schema.required?.includes(field) ? type : `NotRequired[${type}]`;
    return `    ${field}: ${value}\n${docstring(each.description ?? '', '    ')}`;
  });
  return [
    ...nested,
    [`class ${name}(TypedDict):\n${docstring(description, '    ')}`, ...fields].join('\n'),
  ];
}
