/**
 * Changes of a JSON Schema that break a client: it must be able to send what was accepted before,
 * and receive only what it knows.
 */

// biome-ignore lint/suspicious/noExplicitAny: a document has any shape
export type Json = any;

/** The client's use of the schema: to send, or to receive. */
export type Direction = 'request' | 'response';

export type Resolve = (schema: Json) => Json;

interface Compared {
  readonly direction: Direction;
  readonly before: Resolve;
  readonly after: Resolve;
  /** References that are being compared, since a schema may contain itself. */
  readonly open: ReadonlySet<string>;
}

/** @returns The breaks, each as `path: what`. */
export function compareSchemas(
  one: Json,
  other: Json,
  direction: Direction,
  before: Resolve,
  after: Resolve,
): string[] {
  return compare(one, other, '', { direction, before, after, open: new Set() });
}

function compare(one: Json, other: Json, path: string, compared: Compared): string[] {
  const { direction, before, after } = compared;
  const pair = one?.$ref && `${one.$ref} ${other?.$ref}`;
  if (pair && compared.open.has(pair)) return [];
  const inside = pair ? { ...compared, open: new Set([...compared.open, pair]) } : compared;
  const [old, now] = [flatten(one, before), flatten(other, after)];
  const at = (what: string) => `${path || 'the whole'}: ${what}`;
  if (hasChoices(old) || hasChoices(now))
    return same(old, now)
      ? []
      : [at('changed in a choice of schemas, which this tool cannot judge')];
  const found = direction === 'request' ? narrowed(old, now) : widened(old, now);
  const parts = [...compareProperties(old, now, path, inside)];
  if (old.items) parts.push(...compare(old.items, now.items ?? {}, `${path}[]`, inside));
  if (isSchema(old.additionalProperties))
    parts.push(
      ...compare(old.additionalProperties, now.additionalProperties ?? {}, `${path}.*`, inside),
    );
  return [...found.map(at), ...parts];
}

const isSchema = (value: Json): boolean => typeof value === 'object' && value !== null;
const hasChoices = (schema: Json): boolean => Boolean(schema.oneOf || schema.anyOf || schema.not);
const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Converts a union of a schema and null to a nullable schema. */
function withNull(schema: Json, resolve: Resolve): Json {
  const { anyOf = [], ...rest } = schema;
  const [one, ...more] = anyOf.filter((each: Json) => each.type !== 'null');
  if (anyOf.length !== 2 || !one || more.length > 0) return schema;
  const plain = flatten(one, resolve);
  return {
    ...plain,
    ...rest,
    type: [plain.type, 'null'].flat(),
    ...(plain.enum && { enum: [...plain.enum, null] }),
  };
}

/** Resolves references, and merges the parts of `allOf`. */
function flatten(schema: Json, resolve: Resolve): Json {
  const { allOf = [], ...given } = resolve(schema ?? {});
  const own = withNull(given, resolve);
  const parts: Json[] = [...allOf.map((part: Json) => flatten(part, resolve)), own];
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  return Object.assign({}, ...parts, {
    properties,
    required: parts.flatMap((part) => part.required ?? []),
  });
}

const typesOf = ({ type }: Json): string[] | undefined =>
  type === undefined ? undefined : [type].flat();
const valuesOf = (schema: Json): Json[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;
/** `number` accepts every integer. */
const covers = (types: string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

/** Values that a client can no longer send. */
function narrowed(old: Json, now: Json): string[] {
  const problems: string[] = [];
  const [types, values] = [typesOf(now), valuesOf(now)];
  const lost = types && (typesOf(old) ?? ['anything']).filter((type) => !covers(types, type));
  if (lost?.length) problems.push(`takes no ${lost.join(', ')} any more`);
  const missing =
    values && (valuesOf(old) ?? ['any other value']).filter((value) => !values.includes(value));
  if (missing?.length) problems.push(`takes no ${missing.join(', ')} any more`);
  for (const limit of ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'])
    if (
      (now[limit] ?? Number.NEGATIVE_INFINITY) >
      (old[limit] ?? (limit.endsWith('imum') ? Number.NEGATIVE_INFINITY : 0))
    )
      problems.push(`${limit} was raised`);
  for (const limit of ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'])
    if ((now[limit] ?? Number.POSITIVE_INFINITY) < (old[limit] ?? Number.POSITIVE_INFINITY))
      problems.push(`${limit} was lowered`);
  for (const rule of ['format', 'pattern', 'multipleOf', 'uniqueItems'])
    if (now[rule] !== undefined && !same(old[rule], now[rule])) problems.push(`${rule} changed`);
  if (now.additionalProperties === false && old.additionalProperties !== false && old.properties)
    problems.push('takes no other properties any more');
  return problems;
}

/** Values that are new to a client. */
function widened(old: Json, now: Json): string[] {
  const problems: string[] = [];
  const [types, values] = [typesOf(old), valuesOf(old)];
  const more = types && (typesOf(now) ?? ['anything']).filter((type) => !covers(types, type));
  if (more?.length) problems.push(`may be ${more.join(', ')} now`);
  const added =
    values && (valuesOf(now) ?? ['any other value']).filter((value) => !values.includes(value));
  if (added?.length) problems.push(`may be ${added.join(', ')} now`);
  for (const rule of ['format', 'pattern'])
    if (old[rule] !== undefined && !same(old[rule], now[rule])) problems.push(`${rule} changed`);
  return problems;
}

function compareProperties(old: Json, now: Json, path: string, compared: Compared): string[] {
  const { direction, before } = compared;
  const [olds, nows] = [old.properties ?? {}, now.properties ?? {}];
  const required = (schema: Json): string[] => schema.required ?? [];
  const nameOf = (name: string) => (path ? `${path}.${name}` : name);
  const kept = Object.keys(olds).flatMap((name) => {
    if (name in nows) return compare(olds[name], nows[name], nameOf(name), compared);
    // A client may still send it where unknown properties are accepted.
    if (
      before(olds[name]).deprecated ||
      (direction === 'request' && now.additionalProperties !== false)
    )
      return [];
    return [`${nameOf(name)}: was removed`];
  });
  const asked =
    direction === 'request'
      ? required(now)
          .filter((name) => !required(old).includes(name))
          .map((name) => `${nameOf(name)}: is required now`)
      : [];
  const loosened = (name: string) => name in nows && !required(now).includes(name);
  const missing =
    direction === 'response'
      ? required(old)
          .filter(loosened)
          .map((name) => `${nameOf(name)}: may be missing now`)
      : [];
  return [...kept, ...asked, ...missing];
}
