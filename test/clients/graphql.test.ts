/** The GraphQL client: the operations of the guide, pages, costs, errors, retries and streams. */
import * as client from '../../clients/graphql/src/index.js';
import { startApp } from '../support/app.js';
import { ensure, satisfying } from '../support/expect.js';
import { blocksOf, readText } from '../support/markdown.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  nothing,
  skylineId,
  typeId,
} from '../support/names.js';
import { type Fault, flaky, lanyardOf } from './lanyard.js';

const app = await startApp();
const organizationId = skylineId;
const isOperation = (value: unknown): value is client.Operation<object, unknown> =>
  typeof value === 'object' && value !== null && 'text' in value;
const operations = Object.values<unknown>(client).filter(isOperation);

/** A client whose first requests fail as told. */
function clientOf(...faults: Fault[]) {
  const network = flaky(...faults);
  const token = () => app.token(managerEmail);
  const options = { baseUrl: app.base, token, fetch: network.fetch };
  return { ...client.createLanyardGraphQL(options), sent: network.sent };
}

const isAbout = (expected: number) => (actual: unknown) => Math.abs(Number(actual) - expected) <= 1;

const addCertification = (serial_number: string) =>
  lanyardOf(app, managerEmail).post('/v1/organizations/{organization_id}/certifications', {
    params: { path: { organization_id: skylineId } },
    body: {
      organization_member_id: memberId(climberEmail),
      certification_type_id: typeId('rf-awareness'),
      serial_number,
    },
  });

describe('the operations of docs/dashboards.md', () => {
  const blocks = blocksOf(readText('docs/dashboards.md'));
  const examples = new Map(
    blocks.flatMap(({ language, text, above }) => {
      const [, name = ''] = /^(?:query|mutation|subscription) (\w+)/.exec(above?.text ?? '') ?? [];
      return language === 'json' && name ? [[name, JSON.parse(text) as object]] : [];
    }),
  );

  test('are all in the package', () => {
    expect(operations.length).toBeGreaterThan(10);
    expect(operations.map(({ name }) => name)).toStrictEqual(
      expect.arrayContaining([...examples.keys()]),
    );
  });

  for (const operation of operations.filter(({ text }) => text.startsWith('query'))) {
    test(`${operation.name} has a result and a cost`, async () => {
      const variables = examples.get(operation.name) ?? { organizationId };
      const { data, cost } = await clientOf().run(operation, variables);
      expect(data).toStrictEqual(expect.any(Object));
      expect(cost).toStrictEqual({ requested: expect.any(Number), limit: expect.any(Number) });
    });
  }
});

test('pages reads the feed to its end', async () => {
  for (const serial of ['page-1', 'page-2']) await addCertification(serial);
  const small: typeof client.Changes = {
    ...client.Changes,
    text: client.Changes.text.replace('first: 100', 'first: 1'),
  };
  const start = new Date(Date.now() - 60_000).toISOString();
  const first = small.text.replace('after: $after', `after: $after, changedAfter: "${start}"`);
  const { data } = await clientOf().run({ ...small, text: first }, { organizationId });
  const kinds: string[] = [];
  const after = data.changes.pageInfo.endCursor;
  const pages = clientOf().pages(small, { organizationId, after }, ({ changes }) =>
    changes.pageInfo.hasNextPage ? changes.pageInfo.endCursor : undefined,
  );
  for await (const { changes } of pages) {
    expect(changes.nodes.length).toBeLessThanOrEqual(1);
    kinds.push(...changes.nodes.map(({ kind }) => kind));
  }
  expect(kinds).toContain('CREATED');
});

test('an error of the API has its code, message and request id', async () => {
  const failing = clientOf().run(client.Forecast, { organizationId: nothing, days: 90 });
  const error = await failing.catch((reason: unknown) => reason);
  ensure(error instanceof client.LanyardGraphQLError, String(error));
  expect([error.code, typeof error.requestId, error.errors.length]).toEqual([
    'FORBIDDEN',
    'string',
    1,
  ]);
});

test('without a response the code is NO_RESPONSE, and a page of a proxy has its status', async () => {
  const options = { baseUrl: app.base, token: () => '', patience: 0 };
  const run = (fetch: typeof globalThis.fetch) =>
    client
      .createLanyardGraphQL({ ...options, fetch })
      .run(client.Forecast, { organizationId, days: 1 });
  await expect(run(flaky('down').fetch)).rejects.toMatchObject({ code: 'NO_RESPONSE' });
  const teapot = new Response('<h1>Teapot</h1>', { status: 418 });
  await expect(run(flaky(teapot).fetch)).rejects.toMatchObject({ code: 'HTTP_418' });
});

test('a mutation whose responses are lost takes effect once', async () => {
  const create: client.Operation<
    { organizationId: string; input: object },
    { made: { id: string } }
  > = {
    name: 'Create',
    text: `mutation Create($organizationId: ID!, $input: CertificationCreate!) {
      made: createCertification(organizationId: $organizationId, input: $input) { id } }`,
  };
  const input = {
    ...{
      organizationMemberId: memberId(climberEmail),
      certificationTypeId: typeId('rf-awareness'),
    },
    serialNumber: 'graphql-lost',
  };
  const { run, sent } = clientOf('lost', new Response(null, { status: 503 }), 'down');
  const { data } = await run(create, { organizationId, input });
  const made = await app.db.query(
    `select id from certifications where serial_number = 'graphql-lost'`,
  );
  expect(made).toStrictEqual([{ id: data.made.id }]);
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  expect(sent).toHaveLength(4);
});

test.each([
  ['a line break', (text: string) => `\n  ${text}`],
  ['a comment', (text: string) => `# Imports one row.\n${text}`],
  ['a fragment', (text: string) => `fragment made on Certification { id }\n${text}`],
])('a mutation after %s has a key too', async (_, before) => {
  const own: client.Operation<object, unknown> = {
    name: 'Own',
    text: before('mutation Own { setPrimaryMembership(organizationId: "x") { id } }'),
  };
  const { run, sent } = clientOf();
  await run(own, {}).catch(() => {});
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a query has no key, whatever its text begins with', async () => {
  const { run, sent } = clientOf();
  await run({ ...client.Forecast, text: `\n${client.Forecast.text}` }, { organizationId, days: 9 });
  expect(sent[0]?.headers.has('idempotency-key')).toBe(false);
});

describe('when the token source throws', () => {
  const ended = new Error('The sign-in has ended.');
  const { run, stream } = client.createLanyardGraphQL({
    baseUrl: app.base,
    token: () => Promise.reject(ended),
  });

  test('a request throws its error at once', () =>
    expect(run(client.Forecast, { organizationId, days: 1 })).rejects.toBe(ended));

  test('a stream throws its error at once', () =>
    expect(stream(client.Follow, { organizationId }).next()).rejects.toBe(ended));
});

test('an error says when to repeat the request', async () => {
  const body = { errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED' } }] };
  const limited = (after: string) =>
    new Response(JSON.stringify(body), { status: 429, headers: { 'retry-after': after } });
  const run = (fetch: typeof globalThis.fetch) =>
    client
      .createLanyardGraphQL({ baseUrl: app.base, token: () => '', patience: 1000, fetch })
      .run(client.Forecast, { organizationId, days: 1 });
  await expect(run(flaky(limited('42')).fetch)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfter: 42,
  });
  const inTen = run(flaky(limited(new Date(Date.now() + 10_000).toUTCString())).fetch);
  await expect(inTen).rejects.toMatchObject({ retryAfter: satisfying(isAbout(10)) });
  const never = run(flaky(new Response('', { status: 418 })).fetch);
  await expect(never).rejects.toMatchObject({ code: 'HTTP_418', retryAfter: undefined });
});

test('a stream continues after its connection is lost, and misses nothing', async () => {
  const stop = new AbortController();
  let connections = 0;
  /** Ends the first connections after their first event. */
  const cut: typeof fetch = async (input, init) => {
    connections++;
    const response = await fetch(input, init);
    if (connections > 3 || !response.body) return response;
    let hasEvent = false;
    const cutter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (hasEvent) return controller.error(new TypeError('The connection broke.'));
        hasEvent = Buffer.from(chunk).includes('event: next');
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(cutter), response);
  };
  const { stream } = client.createLanyardGraphQL({
    ...{ baseUrl: app.base, token: () => app.token(managerEmail), fetch: cut },
  });
  const variables = { organizationId, resourceTypes: ['CERTIFICATION'] as const };
  const events = stream(client.Follow, variables, { signal: stop.signal });
  // The first event is the current position.
  await events.next();
  const created: string[] = [];
  const seen: string[] = [];
  for (let number = 0; number < 5; number++) {
    created.push((await addCertification(`stream-${number}`)).data.id);
    while (seen.length <= number) {
      const { value } = await events.next();
      ensure(value && value.position !== '', 'The stream ended.');
      seen.push(...value.data.changes.nodes.map(({ resourceId }) => resourceId));
    }
  }
  stop.abort();
  await expect(events.next()).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen).toStrictEqual(created);
  expect(connections).toBe(4);
});

test('a stream waits for a server that is away, and says so', async () => {
  const stop = new AbortController();
  const away = new Response('<h1>Away</h1>', { status: 503 });
  const full = new Response(
    JSON.stringify({ errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED' } }] }),
    { status: 429, headers: { 'retry-after': '1' } },
  );
  const { fetch, sent } = flaky('down', away, full);
  const { stream } = client.createLanyardGraphQL({
    ...{ baseUrl: app.base, token: () => app.token(managerEmail), fetch },
  });
  const reasons: unknown[] = [];
  const events = stream(
    client.Follow,
    { organizationId },
    { signal: stop.signal, onInterrupted: (reason) => reasons.push(reason) },
  );
  const { value } = await events.next();
  expect(value?.data.changes.nodes).toStrictEqual([]);
  expect(reasons).toMatchObject([
    {},
    { code: 'HTTP_503' },
    { code: 'RATE_LIMITED', retryAfter: 1 },
  ]);
  ensure((sent[3]?.at ?? 0) - (sent[2]?.at ?? 0) >= 990, 'It did not wait.');
  stop.abort();
});

test('a stream whose token is rejected, and has no other, throws', async () => {
  const { stream } = client.createLanyardGraphQL({ baseUrl: app.base, token: () => 'rejected' });
  const events = stream(client.Follow, { organizationId });
  await expect(events.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a stream that is not allowed throws its error', async () => {
  const events = clientOf().stream(client.Follow, { organizationId: nothing });
  await expect(events.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('the version is that of the API', () => {
  const versionOf = (file: string) => JSON.parse(readText(file)).version;
  expect(versionOf('clients/graphql/package.json')).toBe(versionOf('package.json'));
});
