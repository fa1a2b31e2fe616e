/** With a manifest of trusted documents, nothing else runs. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/config.js';
import { TrustedDocuments } from '../../src/graph/execution/trusted-documents.js';
import { send, startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-trusted-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

const body = 'query Who { me { user { email } } }';
const id = createHash('sha256').update(body).digest('hex');
const manifest = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id, name: 'Who', type: 'query', body }],
};

const app = await startApp({ GRAPHQL_TRUSTED_DOCUMENTS: write('manifest.json', manifest) });
const post = async (request: object) =>
  send(app.base, 'POST', '/graphql', { token: await app.token(managerEmail), body: request });
const get = async (parameters: Record<string, string>) =>
  send(app.base, 'GET', `/graphql?${new URLSearchParams(parameters)}`, {
    token: await app.token(managerEmail),
    headers: { 'apollo-require-preflight': '1' },
  });
const byId = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

describe('a trusted document runs', () => {
  const requests: [how: string, send: () => ReturnType<typeof post>][] = [
    ['by id', () => post({ extensions: byId(id) })],
    [
      'by id, with a name and variables',
      () => post({ operationName: 'Who', variables: {}, extensions: byId(id) }),
    ],
    ['by its text', () => post({ query: body })],
    ['by both', () => post({ query: body, extensions: byId(id) })],
    ['by id in a GET', () => get({ extensions: JSON.stringify(byId(id)) })],
    ['by its text in a GET', () => get({ query: body })],
  ];
  for (const [how, ask] of requests) {
    test(how, async () => {
      const { status, body: answer } = await ask();
      expect([answer, status]).toStrictEqual([expect.anything(), 200]);
      expect(answer.data).toStrictEqual({ me: { user: { email: managerEmail } } });
    });
  }
});

describe('anything else is refused', () => {
  const requests: [how: string, send: () => ReturnType<typeof post>, message: RegExp][] = [
    [
      'another text',
      () => post({ query: '{ me { user { id } } }' }),
      /Only trusted documents run here/,
    ],
    ['the text with a blank more', () => post({ query: `${body} ` }), /Only trusted documents/],
    [
      'introspection',
      () => post({ query: '{ __schema { queryType { name } } }' }),
      /Only trusted documents/,
    ],
    [
      'an unknown id with a text to register',
      () => post({ query: '{ __typename }', extensions: byId('1') }),
      /no trusted document/,
    ],
    ['nothing', () => post({ variables: {} }), /Only trusted documents/],
    ['another text in a GET', () => get({ query: '{ __typename }' }), /Only trusted documents/],
  ];
  for (const [how, ask, message] of requests) {
    test(how, async () => {
      const { status, body: answer } = await ask();
      expect(status).toBe(400);
      expect(answer.errors[0].extensions.code).toBe('INVALID_REQUEST');
      expect(answer.errors[0].message).toMatch(message);
      expect(answer.data).toBeUndefined();
    });
  }
});

describe('an unknown id alone is refused in the protocol of persisted queries', () => {
  const unknown = byId('0'.repeat(64));
  const requests: [how: string, send: () => ReturnType<typeof post>][] = [
    ['by POST', () => post({ extensions: unknown })],
    ['by GET', () => get({ extensions: JSON.stringify(unknown) })],
  ];
  for (const [how, ask] of requests) {
    test(`${how}: the client sends the text, which is refused or is one of the manifest`, async () => {
      const { status, body: answer } = await ask();
      expect([status, answer.data]).toStrictEqual([200, undefined]);
      expect(answer.errors[0].message).toBe('PersistedQueryNotSupported');
      expect(answer.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
    });
  }

  test('and nothing is registered', async () => {
    const text = '{ __typename }';
    const extensions = byId(createHash('sha256').update(text).digest('hex'));
    expect((await post({ query: text, extensions })).status).toBe(400);
    expect((await post({ extensions })).body.errors[0].message).toBe('PersistedQueryNotSupported');
  });
});

test('REST and the page in a browser stay as they are', async () => {
  expect((await app.rest('GET', '/v1/me', { token: await app.token(managerEmail) })).status).toBe(
    200,
  );
  expect(
    (await send(app.base, 'GET', '/graphql', { headers: { accept: 'text/html' } })).status,
  ).toBe(200);
});

test('what is no manifest stops the start, saying why', () => {
  for (const [name, content] of Object.entries({
    format: { ...manifest, format: 'relay' },
    empty: { ...manifest, operations: [] },
    list: [body],
  })) {
    expect(() => TrustedDocuments.read(write(name, content))).toThrow(ConfigError);
  }
  expect(() => TrustedDocuments.read(join(folder, 'none'))).toThrow(/no such file/);
});
