import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { generate } from '../../src/cli/generate/generate.js';
import { schema } from '../../src/graph/schema.js';
import { routes } from '../../src/rest/routes.js';
import { packageRoot } from '../../src/root.js';
import {
  assertContract,
  assertFits,
  document,
  type Part,
  type Place,
  partAt,
} from '../support/contract.js';
import { ensure } from '../support/expect.js';

for (const [path, text] of Object.entries(generate())) {
  test(`${path} is what the code makes`, () => {
    expect(readFileSync(join(packageRoot, path), 'utf8')).toBe(text); // stale: run npm run generate
  });
}

const methods = (operations: object): string[] =>
  Object.keys(operations).map((method) => method.toUpperCase());

test('the document has the routes of the table and no others', () => {
  const documented = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
    methods(operations).map((method) => `${method} ${path}`),
  );
  expect(documented.sort()).toStrictEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

/** Everything that has a schema and examples, with what the examples are. */
function* exampled(part: Part, place: Place = []): Generator<[Place, unknown[]]> {
  if (typeof part !== 'object' || part === null) return;
  const named =
    part.examples && !Array.isArray(part.examples)
      ? Object.values<Part>(part.examples).map(({ value }) => value)
      : [];
  const examples = 'example' in part ? [part.example, ...named] : named;
  if (part.schema && examples.length > 0) yield [place, examples];
  for (const [key, below] of Object.entries(part)) yield* exampled(below, [...place, key]);
}

test('every example fits its schema', () => {
  const all = [...exampled(document)];
  for (const [place, examples] of all) {
    for (const example of examples) assertFits([...place, 'schema'], example, place.join(' '));
  }
  const bodies = all.filter(([place]) => place.includes('content'));
  ensure(bodies.length > routes.length, `only ${bodies.length} bodies have examples`);
});

test('every JSON body has an example', () => {
  const bare = Object.entries<Part>(document.paths).flatMap(([path, operations]) =>
    Object.entries<Part>(operations).flatMap(([method, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)]
        .map((body) => body?.content?.['application/json'])
        .filter((content) => content && !content.example)
        .map(() => `${method} ${path}`),
    ),
  );
  expect(bare).toEqual([]);
});

test('the document names the scopes that each operation needs', () => {
  const { scopes } = document.components.securitySchemes.oauth2.flows.authorizationCode;
  for (const operation of Object.values<object>(document.paths).flatMap((operations) =>
    Object.values<Part>(operations),
  )) {
    expect(operation.security[0].oauth2).toStrictEqual(operation['x-required-scopes']);
    for (const scope of operation['x-required-scopes']) ensure(scope in scopes, String(scope));
  }
});

test('no description has a name that only GraphQL knows', () => {
  const known = new Set<string>();
  const collect = (part: Part): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const name of Object.keys(part.properties ?? {})) known.add(name);
    for (const value of [part.name, ...(part.enum ?? [])]) known.add(value);
    for (const below of Object.values(part)) collect(below);
  };
  collect(document);
  const texts = [
    ...JSON.stringify([document.paths, document.components]).matchAll(
      /`([a-z]+(?:_[a-z]+)+|[a-z]+[A-Z]\w*)`/g,
    ),
  ];
  expect(texts.length).toBeGreaterThan(0);
  expect([
    ...new Set(texts.map(([, name = '']) => name).filter((name) => !known.has(name))),
  ]).toEqual([]);
});

test('redocly finds nothing to complain about', () => {
  const cli = join(packageRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'lint', 'schema/openapi.json', '--format=json'],
    {
      cwd: packageRoot,
      encoding: 'utf8',
      env,
    },
  );
  expect([stderr, stdout]).toStrictEqual([stderr, expect.stringMatching(/^\{/)]);
  expect([stdout, JSON.parse(stdout).totals]).toStrictEqual([
    stdout,
    { errors: 0, warnings: 0, ignored: 0 },
  ]);
});

function* described(
  type: GraphQLNamedType,
): Generator<[name: string, description: string | null | undefined]> {
  yield [type.name, type.description];
  if (isEnumType(type))
    for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description];
  if (isInputObjectType(type))
    for (const field of Object.values(type.getFields()))
      yield [`${type.name}.${field.name}`, field.description];
  if (!isObjectType(type)) return;
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, field.description];
    for (const argument of field.args)
      yield [`${type.name}.${field.name}(${argument.name})`, argument.description];
  }
}

test('everything in the GraphQL schema has a description', () => {
  const roots = [schema.getQueryType(), schema.getMutationType()].map((type) => type?.name);
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  );
  const bare = own
    .flatMap((type) => [...described(type)])
    .filter(([name, description]) => !description && !roots.includes(name));
  expect(bare.map(([name]) => name)).toEqual([]);
});

const requestId = { 'x-request-id': 'a' };
const json = { ...requestId, 'content-type': 'application/json' };

test('a response outside the contract is caught', () => {
  const error = { error: { code: 'not_found', message: 'There is no such record.' } };
  const record = partAt([
    'paths',
    '/v1/organizations/{organization_id}',
    'get',
    'responses',
    '200',
    'content',
    'application/json',
    'example',
  ]);
  const validators = { ...json, etag: '"a"', 'cache-control': 'private, no-cache' };
  const hold =
    (
      method: string,
      path: string,
      status: number,
      headers: Record<string, string>,
      body?: unknown,
    ) =>
    () =>
      assertContract(method, path, status, new Headers(headers), body);

  hold('GET', '/v1/organizations/1', 200, validators, record)();
  hold('GET', '/v1/certifications/1?q', 404, json, error)();
  hold('GET', '/v1/nothing', 404, json, error)();
  hold('PUT', '/v1/me', 405, json, error)();
  hold('OPTIONS', '/v1/me', 204, requestId)();

  const wrong: Record<string, () => void> = {
    'a status that is not declared': hold('GET', '/v1/organizations/1', 404, json, error),
    'a header that is missing': hold('GET', '/v1/organizations/1', 200, json, record),
    'a header of the wrong form': hold(
      'GET',
      '/v1/organizations/1',
      200,
      { ...validators, etag: 'a' },
      record,
    ),
    'a property that is missing': hold('GET', '/v1/organizations/1', 200, validators, {
      data: { ...record.data, name: undefined },
    }),
    'a property that is not declared': hold('GET', '/v1/organizations/1', 200, validators, {
      data: { ...record.data, more: 1 },
    }),
    'a property that is null': hold('GET', '/v1/organizations/1', 200, validators, {
      data: { ...record.data, name: null },
    }),
    'a date-time that is none': hold('GET', '/v1/organizations/1', 200, validators, {
      data: { ...record.data, created_at: '2026-03-02' },
    }),
    'a code of another status': hold('GET', '/v1/certifications/1', 404, json, {
      error: { ...error.error, code: 'forbidden' },
    }),
    'a body where there is none': hold('GET', '/v1/organizations/1', 304, validators, record),
    'a success where there is no path': hold('GET', '/v1/nothing', 200, json, record),
  };
  for (const [what, response] of Object.entries(wrong))
    expect([what, refusalOf(response)]).toStrictEqual([what, expect.any(Error)]);
});

const refusalOf = (work: () => void): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('the example of a new member is what the operation returns', async () => {
  const { data } =
    document.paths['/v1/organizations/{organization_id}/organization-members'].post.responses[201]
      .content['application/json'].example;
  const { status, is_primary, role, created_at, updated_at } = data;
  expect({ status, is_primary, role }).toStrictEqual({
    status: 'invited',
    is_primary: false,
    role: 'member',
  });
  expect(created_at).toBe(updated_at);
});
