import { knownOperation } from '../../src/graph/execution/perform.js';
import { openApp, send, startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';

const app = await startApp();
const manager = () => app.token('manager@skyline.example');
const error = (response: {
  body: { errors: { message: string; extensions: Record<string, unknown> }[] };
}) => {
  const [first] = response.body.errors;
  ensure(first);
  return first;
};

describe('/graphql without a token', () => {
  test('introspection needs no token', async () => {
    const { status, body } = await app.graphql('{ __schema { queryType { name } } }');
    expect([status, body.data]).toStrictEqual([
      200,
      { __schema: { queryType: { name: 'Query' } } },
    ]);
  });
});

describe('/graphql refuses', () => {
  test('401 for a field without a token', async () => {
    const response = await app.graphql('{ me { user { email } } }');
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const metadata = `${app.config.BASE_URL}/.well-known/oauth-protected-resource/v1`;
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="Lanyard", resource_metadata="${metadata}"`,
    );
    expect(error(response).extensions.code).toBe('UNAUTHENTICATED');
    expect(error(response).extensions.request_id).toBe(response.headers.get('x-request-id'));
  });

  test('401 for a token that is no good, whatever is asked', async () => {
    const response = await app.graphql('{ __typename }', {}, { token: 'abc.def.ghi' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate') ?? '').toMatch(/invalid_token/);
  });

  test('400 for a document that does not fit the schema, or cannot be parsed', async () => {
    for (const query of ['{ nothing }', '{ me {', '{ me }']) {
      const response = await app.graphql(query, {}, { token: await manager() });
      expect(response.status).toBe(400);
      expect(error(response).extensions.code).toBe('INVALID_REQUEST');
      expect(error(response).extensions.request_id).toBe(response.headers.get('x-request-id'));
      expect(response.text).not.toContain('stacktrace');
    }
  });

  test('422 for variables that do not fit, naming each by its path', async () => {
    const query =
      'mutation ($id: ID!, $input: CertificationCreate!) { createCertification(organizationId: $id, input: $input) { id } }';
    const response = await app.graphql(
      query,
      { id: 'x', input: { issuedOn: '2026-02-30' } },
      { token: await manager() },
    );
    expect(response.status).toBe(422);
    expect(error(response).extensions.details).toStrictEqual({
      id: ['must be a UUID'],
      issuedOn: [
        'must be a real calendar day in the form YYYY-MM-DD, from 0001-01-01 to 9999-12-31',
      ],
      certificationTypeId: ['is required'],
    });
  });

  test('a mutation by GET, and a batch', async () => {
    const id = '0197a3f0-5c1e-7cc1-9a53-0d8f6f0a2b11';
    const query = encodeURIComponent(
      `mutation { removeJobRole(organizationId: "${id}", organizationMemberId: "${id}", jobRoleId: "${id}") }`,
    );
    const byGet = await send(app.base, 'GET', `/graphql?query=${query}`, {
      token: await manager(),
      headers: { 'apollo-require-preflight': '1' },
    });
    expect(byGet.status).toBe(405);
    const batch = await send(app.base, 'POST', '/graphql', {
      token: await manager(),
      body: [{ query: '{ __typename }' }],
    });
    expect(batch.status).toBe(400);
  });
});

describe('a stranger', () => {
  test('leaves nothing in the cache of operations', async () => {
    const query = '{ ofStrangers: __typename }';
    for (let index = 0; index < 3; index++) expect((await app.graphql(query)).status).toBe(200);
    expect(knownOperation(query, undefined)).toBeUndefined();
    await app.graphql(query, {}, { token: await manager() });
    expect(knownOperation(query, undefined)).toBeTruthy();
  });

  test('has documents of up to 1,000 tokens, and requests of up to 64 KiB', async () => {
    const query = (fields: number) => `{ ${'__typename '.repeat(fields)} }`;
    const refused = await app.graphql(query(999));
    expect([refused.status, /1000 tokens/.test(error(refused).message)]).toEqual([400, true]);
    expect((await app.graphql(query(100))).status).toBe(200);
    const token = await manager();
    const large = { padding: 'x'.repeat(64 * 1024) };
    expect((await app.graphql('{ __typename }', large)).status).toBe(413);
    expect((await app.graphql('{ __typename }', large, { token })).status).toBe(200);
  });

  test('opens no transaction by a mutation of nothing', async () => {
    expect((await app.graphql('mutation { __typename }')).status).toBe(401);
  });
});

describe('introspection', () => {
  const misspelt = '{ organisations { nodes { id } } }';
  const cases: [environment: Record<string, string>, anonymous: number, signedIn: number][] = [
    [{}, 200, 200],
    [{ NODE_ENV: 'production' }, 401, 200],
    [{ NODE_ENV: 'production', GRAPHQL_INTROSPECTION: 'true' }, 200, 200],
    [{ GRAPHQL_INTROSPECTION: 'authenticated' }, 401, 200],
    [{ GRAPHQL_INTROSPECTION: 'false' }, 401, 400],
  ];
  for (const [environment, anonymous, signedIn] of cases) {
    test(`${JSON.stringify(environment)}: ${anonymous} without a token, ${signedIn} with one; suggestions only where it is allowed`, async () => {
      await using own = await openApp(environment);
      // Applications of one process share what was compiled.
      const query = `{ __schema { ${Object.keys(environment).join('_')}_${environment.GRAPHQL_INTROSPECTION}: queryType { name } } }`;
      const token = await own.token('manager@skyline.example');
      const statuses = [await own.graphql(query), await own.graphql(query, {}, { token })].map(
        ({ status }) => status,
      );
      expect(statuses).toStrictEqual([anonymous, signedIn]);
      const [stranger, known] = [
        await own.graphql(misspelt),
        await own.graphql(misspelt, {}, { token }),
      ];
      expect([stranger.status, stranger.text.includes('Did you mean')]).toStrictEqual(
        anonymous === 200 ? [400, true] : [401, false],
      );
      expect([known.status, known.text.includes('Did you mean')]).toStrictEqual([
        400,
        signedIn === 200,
      ]);
      expect((await own.graphql('{ __typename }')).status).toBe(200);
    });
  }
});

test('a mutation of two fields is one transaction: when the second fails, nothing of the first remains', async () => {
  const token = await manager();
  const { body } = await app.graphql('{ me { organizations { id } } }', {}, { token });
  const organizationId: string = body.data.me.organizations[0].id;
  const create = (alias: string) =>
    `${alias}: createCertificationType(organizationId: $id, input: { title: "Twice", slug: "twice" }) { id }`;
  const response = await app.graphql(
    `mutation ($id: ID!) { ${create('first')} ${create('second')} }`,
    { id: organizationId },
    { token },
  );
  expect(error(response).extensions.code).toBe('CONFLICT');
  const rows = await app.db.query(`select 1 from certification_types where slug = 'twice'`);
  expect(rows).toHaveLength(0);
});
