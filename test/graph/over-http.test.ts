/** GraphQL over HTTP, audited by the suite of its working group; over-http.json has the verdicts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type AuditResult, serverAudits } from 'graphql-http';
import { packageRoot } from '../../src/root.js';
import { send, startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';

/** By the id of the audit: what it is about, and what came of it. */
type Verdicts = Record<string, { about: string; verdict: AuditResult['status'] }>;

const app = await startApp();
const committed: Verdicts = JSON.parse(readFileSync(join(packageRoot, 'test', 'graph', 'over-http.json'), 'utf8'));
const audits = serverAudits({ url: `${app.base}/graphql` });

describe('the audits', () => {
  for (const audit of audits) {
    test(audit.name, async () => {
      const result = await audit.fn();
      const reason = 'reason' in result ? result.reason : '';
      if ('response' in result) await result.response.body?.cancel();
      assert.deepEqual({ about: audit.name, verdict: result.status }, committed[audit.id], reason);
    });
  }

  test('all are in the file, and all are passed: 13 MUST, 23 SHOULD, 25 MAY', () => {
    assert.deepEqual(Object.keys(committed).sort(), audits.map(({ id }) => id).sort());
    const passed = Object.values(committed).filter(({ verdict }) => verdict === 'ok');
    const count = (level: string) => passed.filter(({ about }) => about.startsWith(level)).length;
    assert.deepEqual([count('MUST'), count('SHOULD'), count('MAY')], [13, 23, 25]);
  });
});

const response = 'application/graphql-response+json';
const ask = async (method: 'GET' | 'POST', parameters: Record<string, unknown>, headers: Record<string, string> = {}) => {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const search = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, text(value)]));
  const token = await app.token(managerEmail);
  return method === 'GET'
    ? send(app.base, 'GET', `/graphql?${search}`, { token, headers })
    : send(app.base, 'POST', '/graphql', { token, headers, body: parameters });
};

describe('what the audits leave out', () => {
  test('a query by GET is the same as by POST', async () => {
    const parameters = {
      query: 'query Q($first: PageSize) { organizations(first: $first) { nodes { id name } } }',
      variables: { first: 2 },
    };
    const [byGet, byPost] = [await ask('GET', parameters), await ask('POST', parameters)];
    assert.equal(byGet.status, 200, byGet.text);
    assert.equal(byGet.text, byPost.text);
  });

  test('405 for a mutation by GET', async () => {
    const { status, headers, body } = await ask('GET', { query: 'mutation { __typename }' }, { accept: response });
    assert.deepEqual([status, headers.get('allow'), body.errors[0].extensions.code], [405, 'POST', 'METHOD_NOT_ALLOWED']);
  });

  test('405 for any other method, with those that it takes', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const { status, headers } = await send(app.base, method, '/graphql', {});
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST'], method);
    }
  });

  test('the type that weighs most, and JSON where a client takes none of ours', async () => {
    const typeFor = async (accept: string) =>
      (await ask('POST', { query: '{ __typename }' }, { accept })).headers.get('content-type')?.split(';')[0];
    assert.equal(await typeFor(`${response}, application/json;q=0.9`), response);
    assert.equal(await typeFor(`application/json, ${response};q=0.9`), 'application/json');
    assert.equal(await typeFor('text/xml'), 'application/json');
  });

  test('the status says what happened to a client that asks for nothing in particular', async () => {
    for (const accept of ['*/*', response, `${response}, application/json;q=0.9`]) {
      assert.equal((await ask('POST', { query: '{ nothing }' }, { accept })).status, 400, accept);
      assert.equal(
        (await ask('POST', { query: 'query ($a: Int!) { __typename @skip(if: false) a: __typename }' }, { accept })).status,
        400,
      );
    }
  });

  test('400 for a parameter of another type, or given twice, and for a request without a query; each with its request id', async () => {
    const wrong = [{}, { query: 1 }, { query: '{ __typename }', variables: [] }, { query: '{ __typename }', operationName: {} }];
    const answers = [
      ...(await Promise.all(wrong.map((parameters) => ask('POST', parameters)))),
      await send(app.base, 'GET', '/graphql?query={__typename}&query={__typename}', {}),
      await send(app.base, 'GET', '/graphql?query={__typename}&variables=[1]', {}),
      await send(app.base, 'GET', '/graphql?query={__typename}&variables={', {}),
      await send(app.base, 'GET', '/graphql', {}),
    ];
    for (const { status, headers, body, text } of answers) {
      assert.equal(status, 400, text);
      assert.equal(body.errors[0].extensions.request_id, headers.get('x-request-id'));
    }
  });

  test('a write is done although the client takes no type of ours, and is told so', async () => {
    const { body } = await ask('POST', { query: '{ organizations(first: 1) { nodes { id } } }' });
    const query =
      'mutation ($id: UUID!) { createCertificationType(organizationId: $id, input: { title: "Any type", slug: "any-type" }) { slug } }';
    const { status, body: made } = await ask(
      'POST',
      { query, variables: { id: body.data.organizations.nodes[0].id } },
      { accept: 'image/png' },
    );
    assert.deepEqual([status, made.data], [200, { createCertificationType: { slug: 'any-type' } }]);
  });
});
