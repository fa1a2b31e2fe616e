/** Automatic persisted queries: Apollo's protocol, over POST, GET and the stream. */
import { createHash, randomUUID } from 'node:crypto';
import type { Principal } from '../../src/auth/policy.js';
import { PersistedQueries } from '../../src/graph/execution/persisted-queries.js';
import { send, startApp } from '../support/app.js';
import { climberEmail, managerEmail, skylineId } from '../support/names.js';

const app = await startApp();
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const extensionsOf = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
const notFound = { message: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' };
const notSupported = {
  message: 'PersistedQueryNotSupported',
  code: 'PERSISTED_QUERY_NOT_SUPPORTED',
};
const accepts = ['application/graphql-response+json', 'application/json', '*/*'];
/** A query that no other test has sent. */
const newQuery = () => `{ me { user { email } } } # ${randomUUID()}`;

interface Sender {
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}
const post = (body: object, options: Sender) =>
  send(app.base, 'POST', '/graphql', { ...options, body });
const get = (parameters: Record<string, unknown>, options: Sender) => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return send(app.base, 'GET', `/graphql?${new URLSearchParams(texts)}`, options);
};
const manager = () => app.token(managerEmail);
const refusalOf = ({ body }: Awaited<ReturnType<typeof post>>) => {
  const [{ message, extensions }] = body.errors;
  return { message, code: extensions.code };
};
const register = async (query: string, token: string) => {
  const { status, body } = await post(
    { query, extensions: extensionsOf(sha256(query)) },
    { token },
  );
  expect([status, body.errors]).toStrictEqual([200, undefined]);
};

for (const isSignedIn of [true, false]) {
  test(`an unknown hash ${isSignedIn ? 'with' : 'without'} a token returns 200 with the code of the protocol, by POST and GET`, async () => {
    const token = isSignedIn ? await manager() : undefined;
    const extensions = extensionsOf(sha256(newQuery()));
    for (const accept of accepts) {
      const options = { token, headers: { accept } };
      const answers = [
        await post({ extensions }, options),
        await get({ extensions, variables: {} }, options),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(refusalOf(answer)).toStrictEqual(isSignedIn ? notFound : notSupported);
        expect(answer.body.errors[0].extensions.request_id).toBe(
          answer.headers.get('x-request-id'),
        );
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    }
  });
}

test('the text with its hash runs, and the hash alone from then on, by POST and GET', async () => {
  const query = newQuery();
  const extensions = extensionsOf(sha256(query));
  const token = await manager();
  const answers = [
    await post({ query, extensions }, { token }),
    await post({ extensions }, { token }),
    await get({ extensions }, { token }),
  ];
  for (const { status, body } of answers)
    expect([status, body.data]).toStrictEqual([200, { me: { user: { email: managerEmail } } }]);
});

test('a text sent by GET with its hash is registered, too', async () => {
  const query = newQuery();
  const extensions = extensionsOf(sha256(query));
  const token = await manager();
  expect((await get({ query, extensions }, { token })).status).toBe(200);
  expect((await get({ extensions }, { token })).body.data.me.user.email).toBe(managerEmail);
});

test('a mutation by its hash runs by POST, and is 405 by GET', async () => {
  const mutation = `mutation ($id: ID!, $title: Name!) { createCertificationType(organizationId: $id, input: { title: $title }) { title } }`;
  const token = await manager();
  const extensions = extensionsOf(sha256(mutation));
  const variables = { id: skylineId, title: 'By its hash' };
  const created = { createCertificationType: { title: 'By its hash' } };
  const first = await post({ query: mutation, extensions, variables }, { token });
  expect([first.body.errors, first.body.data]).toStrictEqual([undefined, created]);
  const titles = `select 1 from certification_types where title = 'Never by GET'`;
  const byGet = await get(
    { extensions, variables: { ...variables, title: 'Never by GET' } },
    { token },
  );
  expect([byGet.status, byGet.headers.get('allow')]).toEqual([405, 'POST']);
  expect(await app.db.query(titles)).toHaveLength(0);
  const again = await post(
    { extensions, variables: { ...variables, title: 'Another by its hash' } },
    { token },
  );
  expect(again.body.data.createCertificationType.title).toBe('Another by its hash');
});

describe('an Idempotency-Key', () => {
  const mutation = `mutation Keyed($id: ID!, $title: Name!) { createCertificationType(organizationId: $id, input: { title: $title }) { id } }`;
  const extensions = extensionsOf(sha256(mutation));

  test('is of one request, whether a retry sends the text or the hash', async () => {
    const token = await manager();
    const headers = { 'idempotency-key': randomUUID() };
    const variables = { id: skylineId, title: 'With a key' };
    const unknown = await post({ extensions, variables }, { token, headers });
    expect(refusalOf(unknown)).toStrictEqual(notFound);
    const first = await post({ query: mutation, extensions, variables }, { token, headers });
    const byHash = await post({ extensions, variables }, { token, headers });
    const byText = await post({ query: mutation, extensions, variables }, { token, headers });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    for (const retry of [byHash, byText]) {
      expect(retry.headers.get('idempotency-replayed')).toBe('true');
      expect(retry.text).toBe(first.text);
    }
  });

  test('is reused by other variables, another operation or another hash', async () => {
    const token = await manager();
    const headers = { 'idempotency-key': randomUUID() };
    const variables = { id: skylineId, title: 'With another key' };
    await post({ query: mutation, extensions, variables }, { token, headers });
    const other = `${mutation} # other`;
    const others = [
      { extensions, variables: { ...variables, title: 'Else' } },
      { extensions, variables, operationName: 'Keyed' },
      { query: other, extensions: extensionsOf(sha256(other)), variables },
      { query: mutation, variables },
    ];
    for (const body of others) {
      const { body: answer } = await post(body, { token, headers });
      expect(answer.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });
});

test('a stream runs by its hash, and says in its first event that the hash is unknown', async () => {
  const token = await manager();
  const stream = async (body: object) =>
    (await send(app.base, 'POST', '/graphql/stream', { token, body })).text;
  const query = `subscription ($id: ID!) { changes(organizationId: $id) { nodes { kind } } } # ${randomUUID()}`;
  const extensions = extensionsOf(sha256(query));
  // The server ends a stream after its first error.
  const variables = { id: randomUUID() };
  expect(await stream({ extensions, variables })).toMatch(
    /^event: next\ndata: \{"errors":\[\{"message":"PersistedQueryNotFound"/,
  );
  const byText = await stream({ query, extensions, variables });
  expect(byText).toContain('FORBIDDEN');
  const withoutId = (text: string) => text.replace(/"request_id":"[^"]+"/g, '');
  expect(withoutId(await stream({ extensions, variables }))).toBe(withoutId(byText));
});

describe('400 for', () => {
  const query = '{ __typename }';
  const cases: [what: string, request: object][] = [
    [
      'a hash of another text',
      { query, extensions: extensionsOf(sha256('{ me { user { id } } }')) },
    ],
    ['a hash in capitals', { query, extensions: extensionsOf(sha256(query).toUpperCase()) }],
    [
      'another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: sha256(query) } } },
    ],
    ['no version', { query, extensions: { persistedQuery: { sha256Hash: sha256(query) } } }],
    ['no hash', { query, extensions: { persistedQuery: { version: 1 } } }],
    ['a hash that is no text', { extensions: { persistedQuery: { version: 1, sha256Hash: [] } } }],
    ['an extension that is no object', { query, extensions: { persistedQuery: 'x' } }],
    ['neither text nor hash', { extensions: {} }],
  ];
  for (const [what, request] of cases) {
    test(what, async () => {
      for (const token of [await manager(), undefined]) {
        const { status, body } = await post(request, { token });
        expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST']);
      }
    });
  }
});

test('an invalid document is not registered', async () => {
  const query = `{ nothing } # ${randomUUID()}`;
  const extensions = extensionsOf(sha256(query));
  const token = await manager();
  expect((await post({ query, extensions }, { token })).status).toBe(400);
  expect(refusalOf(await post({ extensions }, { token }))).toStrictEqual(notFound);
});

describe('a document', () => {
  test('is known to the users of the app in the organization, each with their own rights', async () => {
    const query = newQuery();
    await register(query, await manager());
    const { body } = await post(
      { extensions: extensionsOf(sha256(query)) },
      { token: await app.token(climberEmail) },
    );
    expect(body.data.me.user.email).toBe(climberEmail);
  });

  test('is unknown to another organization, to another app, and without a token', async () => {
    const query = '{ __typename __schema { queryType { name } } }';
    await register(query, await manager());
    const extensions = extensionsOf(sha256(query));
    const others = [
      await app.token('admin@harbor.example'),
      await app.token(managerEmail, 'demo-reader'),
    ];
    for (const token of others)
      expect(refusalOf(await post({ extensions }, { token }))).toStrictEqual(notFound);
    expect(refusalOf(await post({ extensions }, {}))).toStrictEqual(notSupported);
  });

  test('of a request without a token is not registered', async () => {
    const query = `{ __typename } # ${randomUUID()}`;
    const extensions = extensionsOf(sha256(query));
    expect((await post({ query, extensions }, {})).status).toBe(200);
    expect(refusalOf(await post({ extensions }, { token: await manager() }))).toStrictEqual(
      notFound,
    );
  });
});

describe('the memory', () => {
  const caller = (organizationId: string, userId = organizationId, appId = 'app') =>
    ({ appId, userId, memberships: [{ organizationId }] }) as unknown as Principal;
  /** Documents of 100 characters; each counts 600. */
  const documentOf = (index: number) => `{ a${index} }`.padEnd(100);
  const add = (queries: PersistedQueries, who: Principal, indexes: readonly number[]) => {
    for (const index of indexes) {
      const query = documentOf(index);
      queries.register({ query, persisted: { hash: sha256(query) } }, who);
    }
  };
  const knownOf = (queries: PersistedQueries, who: Principal, indexes: readonly number[]) =>
    indexes.filter((index) => {
      try {
        const hash = sha256(documentOf(index));
        return queries.textOf({ persisted: { hash } }, who) === documentOf(index);
      } catch {
        return false;
      }
    });
  const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);

  test('of a caller is limited, and keeps what is used', () => {
    const queries = new PersistedQueries({ caller: 6000, total: 60_000 });
    const who = caller('one');
    add(queries, who, numbers(10));
    expect(knownOf(queries, who, [0])).toEqual([0]);
    add(queries, who, [10]);
    expect(knownOf(queries, who, numbers(11))).toEqual([0, ...numbers(9, 2)]);
    expect(queries.size).toBe(6000);
  });

  test('of all is limited, and is taken from those who registered most', () => {
    const queries = new PersistedQueries({ caller: 6000, total: 60_000 });
    const [quiet, neighbour] = [caller('quiet'), caller('loud', 'neighbour')];
    add(queries, quiet, numbers(3));
    add(queries, neighbour, numbers(3, 100));
    for (let user = 0; user < 10; user++)
      add(queries, caller('loud', `user ${user}`), numbers(10, 1000 + 10 * user));
    for (let app = 0; app < 10; app++)
      add(queries, caller('loud', 'user 1', `app ${app}`), numbers(10));
    expect(queries.size).toBeLessThanOrEqual(60_000);
    expect(queries.size).toBeGreaterThan(58_000);
    expect(knownOf(queries, quiet, numbers(3))).toEqual(numbers(3));
    expect(knownOf(queries, neighbour, numbers(3, 100))).toEqual(numbers(3, 100));
  });

  test('is taken once for a document that several users send', () => {
    const queries = new PersistedQueries();
    for (let user = 0; user < 20; user++) add(queries, caller('one', `user ${user}`), numbers(2));
    expect(queries.size).toBe(1200);
  });
});
