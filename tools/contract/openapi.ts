/** Changes of an OpenAPI 3.1 document that break existing clients. */
import { compareSchemas, type Direction, type Json, type Resolve } from './schema.js';

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** @returns The breaks, one line each. Removing what was deprecated is allowed. */
export function compareOpenApi(old: Json, now: Json): string[] {
  const [before, after] = [resolver(old), resolver(now)];
  return Object.entries<Json>(old.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .flatMap((method) => {
        const [one, other] = [item[method], now.paths[path]?.[method]];
        if (!other && one.deprecated) return [];
        const problems = other ? compareOperations(one, other, before, after) : ['was removed'];
        return problems.map((problem) => `${method.toUpperCase()} ${path}: ${problem}`);
      }),
  );
}

/** Resolves references within the document. */
function resolver(document: Json): Resolve {
  const resolve: Resolve = (value) => {
    if (typeof value?.$ref !== 'string') return value;
    const steps = value.$ref.replace(/^#\//, '').split('/');
    const { $ref: _, ...beside } = value;
    const found = steps.reduce(
      (part: Json, step: string) => part?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
    if (found === undefined) throw new Error(`${value.$ref} is not in the document`);
    return { ...resolve(found), ...beside };
  };
  return resolve;
}

function compareOperations(one: Json, other: Json, before: Resolve, after: Resolve): string[] {
  return [
    ...compareScopes(one, other),
    ...compareParameters(one.parameters ?? [], other.parameters ?? [], before, after),
    ...compareBodies(before(one.requestBody), after(other.requestBody), before, after),
    ...compareResponses(one.responses, other.responses, before, after),
  ];
}

const compareScopes = (one: Json, other: Json): string[] =>
  (other['x-required-scopes'] ?? [])
    .filter((scope: string) => !(one['x-required-scopes'] ?? []).includes(scope))
    .map((scope: string) => `needs the scope ${scope} now`);

function compareParameters(olds: Json[], nows: Json[], before: Resolve, after: Resolve): string[] {
  const keyOf = (parameter: Json): string => `${parameter.in} parameter ${parameter.name}`;
  const [one, other] = [olds.map(before), nows.map(after)].map(
    (all) => new Map((all ?? []).map((each) => [keyOf(each), each])),
  );
  const kept = [...(one ?? [])].flatMap(([key, old]) => {
    const now = other?.get(key);
    // A removed header is ignored; an unknown query parameter is refused.
    if (!now) return old.deprecated || old.in === 'header' ? [] : [`${key} was removed`];
    const asked = now.required && !old.required ? [`${key} is required now`] : [];
    return [
      ...asked,
      ...inContext(key, compareSchemas(old.schema, now.schema, 'request', before, after)),
    ];
  });
  const added = [...(other ?? [])]
    .filter(([key, { required }]) => required && !one?.has(key))
    .map(([key]) => `${key} is required now`);
  return [...kept, ...added];
}

function compareBodies(one: Json, other: Json, before: Resolve, after: Resolve): string[] {
  if (!one) return other?.required ? ['a body is required now'] : [];
  if (!other) return ['the body was removed'];
  const asked = other.required && !one.required ? ['the body is required now'] : [];
  return [
    ...asked,
    ...compareContents('body', one.content, other.content, 'request', before, after),
  ];
}

function compareResponses(olds: Json, nows: Json, before: Resolve, after: Resolve): string[] {
  const kept = Object.entries<Json>(olds).flatMap(([status, response]) => {
    const [one, other] = [before(response), nows[status] && after(nows[status])];
    if (!other) return [`response ${status} was removed`];
    const headers = Object.keys(one.headers ?? {}).filter(
      (name) => !(name in (other.headers ?? {})),
    );
    const content = compareContents(
      `response ${status}`,
      one.content ?? {},
      other.content ?? {},
      'response',
      before,
      after,
    );
    return [...headers.map((name) => `response ${status} has no ${name} any more`), ...content];
  });
  const added = Object.keys(nows).filter((status) => /^[23]/.test(status) && !(status in olds));
  return [...kept, ...added.map((status) => `may answer ${status} now`)];
}

const compareContents = (
  what: string,
  olds: Json,
  nows: Json,
  direction: Direction,
  before: Resolve,
  after: Resolve,
): string[] =>
  Object.entries<Json>(olds).flatMap(([type, { schema }]) =>
    nows[type]
      ? inContext(what, compareSchemas(schema, nows[type].schema, direction, before, after))
      : [`${what} is no ${type} any more`],
  );

const inContext = (what: string, problems: string[]): string[] =>
  problems.map((problem) => `${what}, ${problem}`);
