/**
 * GraphQL over HTTP, audited by the suite of its working group; over-http.json has the verdicts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditResult, serverAudits } from 'graphql-http';
import { packageRoot } from '../../src/root.js';
import { send, startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';

/** By the id of the audit: what it is about, and what came of it. */
type Verdicts = Record<string, { about: string; verdict: AuditResult['status'] }>;

const app = await startApp();
const committed: Verdicts = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'graph', 'over-http.json'), 'utf8'),
);
const audits = serverAudits({ url: `${app.base}/graphql` });

describe('the audits', () => {
  for (const audit of audits) {
    test(audit.name, async () => {
      const result = await audit.fn();
      const reason = 'reason' in result ? result.reason : '';
      if ('response' in result) await result.response.body?.cancel();
      expect([reason, { about: audit.name, verdict: result.status }]).toStrictEqual([
        reason,
        committed[audit.id],
      ]);
    });
  }

  test('all are in the file, and all are passed: 13 MUST, 23 SHOULD, 25 MAY', () => {
    expect(Object.keys(committed).sort()).toStrictEqual(audits.map(({ id }) => id).sort());
    const passed = Object.values(committed).filter(({ verdict }) => verdict === 'ok');
    const count = (level: string) => passed.filter(({ about }) => about.startsWith(level)).length;
    expect([count('MUST'), count('SHOULD'), count('MAY')]).toEqual([13, 23, 25]);
  });
});

const response = 'application/graphql-response+json';
const ask = async (
  method: 'GET' | 'POST',
  parameters: Record<string, unknown>,
  headers: Record<string, string> = {},
) => {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const search = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, text(value)]),
  );
  const token = await app.token(managerEmail);
  return method === 'GET'
    ? send(app.base, 'GET', `/graphql?${search}`, { token, headers })
    : send(app.base, 'POST', '/graphql', { token, headers, body: parameters });
};

describe('what the audits leave out', () => {
  test('a query by GET is the same as by POST', async () => {
    const parameters = {
      query: 'query Q($first: Int) { organizations(first: $first) { nodes { id name } } }',
      variables: { first: 2 },
    };
    const [byGet, byPost] = [await ask('GET', parameters), await ask('POST', parameters)];
    expect([byGet.text, byGet.status]).toStrictEqual([byGet.text, 200]);
    expect(byGet.text).toBe(byPost.text);
  });

  test('405 for a mutation by GET', async () => {
    const { status, headers, body } = await ask(
      'GET',
      { query: 'mutation { __typename }' },
      { accept: response },
    );
    expect([status, headers.get('allow'), body.errors[0].extensions.code]).toEqual([
      405,
      'POST',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test('405 for any other method, with those that it takes', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const { status, headers } = await send(app.base, method, '/graphql', {});
      expect([method, [status, headers.get('allow')]]).toStrictEqual([method, [405, 'GET, POST']]);
    }
  });

  test('the type that weighs most, and JSON where a client takes none of ours', async () => {
    const typeFor = async (accept: string) =>
      (await ask('POST', { query: '{ __typename }' }, { accept })).headers
        .get('content-type')
        ?.split(';')[0];
    expect(await typeFor(`${response}, application/json;q=0.9`)).toBe(response);
    expect(await typeFor(`application/json, ${response};q=0.9`)).toBe('application/json');
    expect(await typeFor('text/xml')).toBe('application/json');
  });

  const wrong: [what: string, parameters: Record<string, unknown>, status: number][] = [
    ['a field that is not there', { query: '{ nothing }' }, 400],
    [
      'a variable of no use',
      { query: 'query ($a: Int!) { __typename @skip(if: false) a: __typename }' },
      400,
    ],
    ['a wrong literal', { query: '{ organization(id: "x") { id } }' }, 422],
    [
      'a wrong variable',
      { query: 'query ($id: ID!) { organization(id: $id) { id } }', variables: { id: 'x' } },
      422,
    ],
  ];
  for (const [what, parameters, status] of wrong) {
    test(`${what}: ${status} for application/graphql-response+json and without Accept, 200 where the answer is application/json`, async () => {
      const statusFor = async (headers: Record<string, string>) =>
        (await ask('POST', parameters, headers)).status;
      expect(await statusFor({})).toBe(status);
      for (const accept of [response, `${response}, application/json;q=0.9`])
        expect([accept, await statusFor({ accept })]).toStrictEqual([accept, status]);
      for (const accept of ['application/json', '*/*', `application/json, ${response};q=0.9`])
        expect([accept, await statusFor({ accept })]).toStrictEqual([accept, 200]);
    });
  }

  test('400 for a parameter of another type, or given twice, and for a request without a query; each with its request id', async () => {
    const wrong = [
      {},
      { query: 1 },
      { query: '{ __typename }', variables: [] },
      { query: '{ __typename }', operationName: {} },
    ];
    const answers = [
      ...(await Promise.all(wrong.map((parameters) => ask('POST', parameters)))),
      await send(app.base, 'GET', '/graphql?query={__typename}&query={__typename}', {}),
      await send(app.base, 'GET', '/graphql?query={__typename}&variables=[1]', {}),
      await send(app.base, 'GET', '/graphql?query={__typename}&variables={', {}),
      await send(app.base, 'GET', '/graphql', {}),
    ];
    for (const { status, headers, body, text } of answers) {
      expect([text, status]).toStrictEqual([text, 400]);
      expect(body.errors[0].extensions.request_id).toBe(headers.get('x-request-id'));
    }
  });

  test('a write is done although the client takes no type of ours, and is told so', async () => {
    const { body } = await ask('POST', { query: '{ organizations(first: 1) { nodes { id } } }' });
    const query =
      'mutation ($id: ID!) { createCertificationType(organizationId: $id, input: { title: "Any type", slug: "any-type" }) { slug } }';
    const { status, body: made } = await ask(
      'POST',
      { query, variables: { id: body.data.organizations.nodes[0].id } },
      { accept: 'image/png' },
    );
    expect([status, made.data]).toStrictEqual([
      200,
      { createCertificationType: { slug: 'any-type' } },
    ]);
  });
});
