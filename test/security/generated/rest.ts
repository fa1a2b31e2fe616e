/** Random requests to what schema/openapi.json describes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/root.js';
import {
  anything,
  type Draft,
  day,
  email,
  happens,
  idFor,
  instant,
  pick,
  slug,
  text,
  upTo,
} from './values.js';

// biome-ignore lint/suspicious/noExplicitAny: a part of the document is whatever its place says
type Part = any;

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

const document: Part = JSON.parse(
  readFileSync(join(packageRoot, 'schema', 'openapi.json'), 'utf8'),
);
const resolve = (part: Part): Part =>
  part?.$ref
    ? resolve(
        part.$ref
          .slice('#/'.length)
          .split('/')
          .reduce((at: Part, key: string) => at[key], document),
      )
    : part;

const verbs = ['get', 'post', 'patch', 'put', 'delete'];
const operations = Object.entries<Part>(document.paths).flatMap(([path, item]) =>
  verbs
    .filter((verb) => item[verb])
    .map((verb) => ({
      path,
      method: verb.toUpperCase(),
      ...item[verb],
      parameters: [...(item.parameters ?? []), ...(item[verb].parameters ?? [])].map(resolve),
    })),
);

/** @param around What the value is a property of. */
function valueFor(draft: Draft, given: Part, name: string, around: string): unknown {
  if (draft.isWild && happens(draft, 12)) return anything(draft);
  const schema = resolve(given);
  // Null, or what is not null.
  if (schema.anyOf)
    return happens(draft, 10) ? null : valueFor(draft, schema.anyOf[0], name, around);
  const types: string[] = [schema.type].flat();
  if (types.includes('null') && happens(draft, 10)) return null;
  if (schema.enum)
    return pick(
      draft,
      schema.enum.filter((each: unknown) => each !== null),
    );
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return objectOf(draft, schema, around);
    case 'array':
      return Array.from({ length: upTo(draft, 3) }, () =>
        valueFor(draft, schema.items, name, around),
      );
    case 'boolean':
      return happens(draft, 50);
    case 'integer':
      return schema.minimum + upTo(draft, Math.min(schema.maximum - schema.minimum, 20));
    default:
      return stringOf(draft, schema, name, around);
  }
}

function stringOf(
  draft: Draft,
  { format, pattern, maxLength }: Part,
  name: string,
  around: string,
): string {
  if (format === 'uuid') return idFor(draft, name, around);
  if (format === 'date')
    return name === 'expires_on' ? `2${day(draft).slice(1).replace(/^0/, '1')}` : day(draft);
  if (format === 'date-time') return instant(draft);
  if (name === 'slug') return slug(draft);
  if (pattern?.includes('@')) return email(draft);
  return text(draft, maxLength);
}

function objectOf(draft: Draft, schema: Part, around: string): Record<string, unknown> {
  const named = Object.entries<Part>(schema.properties ?? {}).filter(([name]) =>
    schema.required?.includes(name) ? !draft.isWild || happens(draft, 95) : happens(draft, 35),
  );
  const read = Object.fromEntries(
    named.map(([name, property]) => [name, valueFor(draft, property, name, around)]),
  );
  return draft.isWild && happens(draft, 8)
    ? { ...read, [plainText(anything(draft))]: anything(draft) }
    : read;
}

/** A path segment; one that URLs give a meaning would be another path. */
const segment = (value: unknown): string =>
  encodeURIComponent(plainText(value))
    .replace(/^\.{0,2}$/, 'x')
    .slice(0, 300)
    .replace(/%.?$/, '');

const plainText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

export function restRequest(draft: Draft): RestRequest {
  const operation = pick(draft, operations);
  const query = new URLSearchParams();
  let { path }: { path: string } = operation;
  for (const { name, in: place, schema } of operation.parameters) {
    const value = valueFor(draft, schema, name, operation.path);
    if (place === 'path') path = path.replace(`{${name}}`, segment(value));
    // No random text is a cursor.
    if (place === 'query' && happens(draft, name === 'cursor' ? 1 : 20))
      query.append(name, plainText(value));
  }
  if (draft.isWild && happens(draft, 10))
    query.append(plainText(anything(draft)), plainText(anything(draft)));
  const content = resolve(operation.requestBody)?.content?.['application/json']?.schema;
  const key = operation.method === 'POST' && happens(draft, 15);
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    body:
      content &&
      (draft.isWild && happens(draft, 5)
        ? anything(draft)
        : valueFor({ ...draft, isWild: draft.isWild }, content, '', operation.path)),
    headers: key ? { 'idempotency-key': `key-${upTo(draft, 400)}` } : {},
  };
}
