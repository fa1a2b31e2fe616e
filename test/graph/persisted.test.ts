/** Clients of automatic persisted queries learn that they must send the query itself. */
import { createHash } from 'node:crypto';
import { send, startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';

const app = await startApp();
const query = '{ me { user { email } } }';
const extensions = {
  persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
};
const expected = { message: 'PersistedQueryNotSupported', code: 'PERSISTED_QUERY_NOT_SUPPORTED' };
const accepts = ['application/graphql-response+json', 'application/json', '*/*'];

for (const isSignedIn of [true, false]) {
  test(`a hash without its query, ${isSignedIn ? 'with' : 'without'} a token: 200 with the code of Apollo's protocol, by POST and GET`, async () => {
    const token = isSignedIn ? await app.token(managerEmail) : undefined;
    for (const accept of accepts) {
      const options = { token, headers: { accept } };
      const search = new URLSearchParams({
        extensions: JSON.stringify(extensions),
        variables: '{}',
      });
      const answers = [
        await send(app.base, 'POST', '/graphql', { ...options, body: { extensions } }),
        await send(app.base, 'GET', `/graphql?${search}`, options),
      ];
      for (const { status, body, headers } of answers) {
        const [{ message, extensions }] = body.errors;
        expect([status, { message, code: extensions.code }]).toStrictEqual([200, expected]);
        expect(extensions.request_id).toBe(headers.get('x-request-id'));
      }
    }
  });
}

test('the query with its hash, which the client sends then, runs', async () => {
  const { status, body } = await send(app.base, 'POST', '/graphql', {
    token: await app.token(managerEmail),
    body: { query, extensions },
  });
  expect([status, body.data]).toStrictEqual([200, { me: { user: { email: managerEmail } } }]);
});

test('a stream says so in its first event', async () => {
  const { text } = await send(app.base, 'POST', '/graphql/stream', {
    token: await app.token(managerEmail),
    body: { extensions },
  });
  expect(text).toMatch(/^event: next\ndata: \{"errors":\[\{"message":"PersistedQueryNotSupported"/);
});

test('a request with neither has no query', async () => {
  const { status, body } = await send(app.base, 'POST', '/graphql', {
    token: await app.token(managerEmail),
    body: { extensions: {} },
  });
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_REQUEST']);
});
