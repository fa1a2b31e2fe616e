/** The parts of an OpenAPI document that the Python client is generated from, and Python's text. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

export interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly $ref?: string;
    readonly name?: string;
    readonly in?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const origin = 'Generated from schema/openapi.json by `npm run generate`. Do not edit.';

export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? ref;

const simple: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** @param inner Declares an object type that has no name, and returns the name that it gets. */
export function typeOf(schema: Schema, inner: (object: Schema) => string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, inner)).join(' | ');
  return [schema.type ?? 'object']
    .flat()
    .map((type) => {
      if (type === 'array') return `list[${typeOf(schema.items ?? {}, inner)}]`;
      return type === 'object' ? inner(schema) : (simple[type] ?? 'object');
    })
    .join(' | ');
}

const maxColumns = 100;

/** Returns a docstring with lines of at most 100 columns. */
export function docstring(text: string, indent = ''): string {
  const lines = text
    .replaceAll('\\', '\\\\')
    .split('\n')
    .flatMap((paragraph) => wrap(paragraph, maxColumns - indent.length - 6));
  const rows = lines.map((line, row) => (line === '' || row === 0 ? line : `${indent}${line}`));
  const end = lines.length > 1 ? `\n${indent}"""\n` : '"""\n';
  return `${indent}"""${rows.join('\n')}${end}`;
}

function wrap(text: string, columns: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
