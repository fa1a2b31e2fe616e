import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { send, startApp } from '../support/app.js';

const app = await startApp();
const manager = () => app.token('manager@skyline.example');
const error = (response: { body: { errors: { message: string; extensions: Record<string, unknown> }[] } }) => {
  const [first] = response.body.errors;
  assert.ok(first);
  return first;
};

describe('/graphql in a browser', () => {
  test('GET /graphql as a page: Apollo Sandbox, with a policy for what it loads, and never in a frame', async () => {
    const page = await send(app.base, 'GET', '/graphql', { headers: { accept: 'text/html' } });
    assert.equal(page.status, 200);
    assert.match(page.text, /embeddable-sandbox\.umd\.production\.min\.js/);
    const nonce = /<script nonce="(\w+)"/.exec(page.text)?.[1];
    assert.ok(nonce && page.text.includes(`'nonce-${nonce}'`), 'the policy of the page names its nonce');
    assert.match(page.text, /frame-src [^"]*https:\/\/sandbox\.embed\.apollographql\.com/);
    assert.equal(page.headers.get('content-security-policy'), "frame-ancestors 'none'");
  });

  test('introspection needs no token', async () => {
    const { status, body } = await app.graphql('{ __schema { queryType { name } } }');
    assert.deepEqual([status, body.data], [200, { __schema: { queryType: { name: 'Query' } } }]);
  });
});

describe('/graphql refuses', () => {
  test('401 for a field without a token', async () => {
    const response = await app.graphql('{ me { user { email } } }');
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
    assert.equal(error(response).extensions.code, 'UNAUTHENTICATED');
    assert.equal(error(response).extensions.request_id, response.headers.get('x-request-id'));
  });

  test('401 for a token that is no good, whatever is asked', async () => {
    const response = await app.graphql('{ __typename }', {}, { token: 'abc.def.ghi' });
    assert.equal(response.status, 401);
    assert.match(response.headers.get('www-authenticate') ?? '', /invalid_token/);
  });

  test('400 for a document that does not fit the schema, or cannot be parsed', async () => {
    for (const query of ['{ nothing }', '{ me {', '{ me }']) {
      const response = await app.graphql(query, {}, { token: await manager() });
      assert.equal(response.status, 400);
      assert.equal(error(response).extensions.code, 'INVALID_REQUEST');
      assert.equal(error(response).extensions.request_id, response.headers.get('x-request-id'));
      assert.ok(!response.text.includes('stacktrace'));
    }
  });

  test('422 for variables that do not fit, naming each by its path', async () => {
    const query = 'mutation ($id: UUID!, $input: CertificationCreate!) { createCertification(organizationId: $id, input: $input) { id } }';
    const response = await app.graphql(query, { id: 'x', input: { issuedOn: '2026-02-30' } }, { token: await manager() });
    assert.equal(response.status, 422);
    assert.deepEqual(error(response).extensions.details, {
      id: ['must be a UUID'],
      issuedOn: ['must be a real calendar day in the form YYYY-MM-DD'],
      certificationTypeId: ['is required'],
    });
  });

  test('a mutation by GET, and a batch', async () => {
    const query = encodeURIComponent('mutation { removeJobRole(organizationId: "x", organizationMemberId: "x", jobRoleId: "x") }');
    const byGet = await send(app.base, 'GET', `/graphql?query=${query}`, {
      token: await manager(),
      headers: { 'apollo-require-preflight': '1' },
    });
    assert.equal(byGet.status, 400);
    const batch = await send(app.base, 'POST', '/graphql', { token: await manager(), body: [{ query: '{ __typename }' }] });
    assert.equal(batch.status, 400);
  });
});

test('introspection can be switched off', async () => {
  const closed = await startApp({ GRAPHQL_INTROSPECTION: 'false' });
  const response = await closed.graphql('{ __schema { queryType { name } } }');
  assert.equal(response.status, 400);
});

test('a mutation of two fields is one transaction: when the second fails, nothing of the first remains', async () => {
  const token = await manager();
  const { body } = await app.graphql('{ me { organizations { id } } }', {}, { token });
  const organizationId: string = body.data.me.organizations[0].id;
  const create = (alias: string) =>
    `${alias}: createCertificationType(organizationId: $id, input: { title: "Twice", slug: "twice" }) { id }`;
  const response = await app.graphql(`mutation ($id: UUID!) { ${create('first')} ${create('second')} }`, { id: organizationId }, { token });
  assert.equal(error(response).extensions.code, 'CONFLICT');
  const rows = await app.db.query(`select 1 from certification_types where slug = 'twice'`);
  assert.equal(rows.length, 0);
});
