/** What holds for every route alike, walked over the route table. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../support/apps.js';
import { addressOf, bodyProperties, type Sample, samples } from '../support/cases.js';
import { dataOf, expectError } from '../support/client.js';
import { forgeries } from '../support/forge.js';
import { harborId, nothing } from '../support/names.js';

const app = await startApp();
const tokenOf = ({ who }: Sample) => app.token(who);

/** Sends the sample, changed as told. */
async function send(sample: Sample, change: { path?: object; query?: string; body?: unknown; token?: string | undefined; headers?: Record<string, string> } = {}) {
  const token = 'token' in change ? change.token : await tokenOf(sample);
  const body = 'body' in change ? change.body : sample.body?.();
  return app.rest(sample.endpoint.route.method, addressOf(sample, change), { token, body, ...(change.headers && { headers: change.headers }) });
}

const walk = (name: string, which: (sample: Sample) => unknown, check: (sample: Sample) => Promise<void>) =>
  describe(name, () => {
    const chosen = samples.filter(which);
    assert.ok(chosen.length > 0);
    for (const sample of chosen) test(`${sample.title}: ${name}`, () => check(sample));
  });

const always = () => true;
const hasBody = ({ endpoint }: Sample) => endpoint.body;
const inOrganization = ({ path }: Sample) => path.organization_id;

test('there are 27 routes', () => assert.equal(samples.length, 27));

walk('401 without a token', always, async (sample) => {
  const response = await send(sample, { token: undefined });
  expectError(response, 401, 'unauthenticated');
  assert.equal(response.headers.get('www-authenticate'), 'Bearer');
});

walk('401 for a token that is wrong in one thing', always, async (sample) => {
  for (const [what, token] of Object.entries(await forgeries(app, sample.who))) {
    const response = await send(sample, { token });
    assert.equal(response.status, 401, `a token ${what} got ${response.text}`);
    expectError(response, 401, 'unauthenticated');
    assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
  }
});

describe('403 insufficient_scope', () => {
  before(() => makeAppsWithoutOneScope(app.db));
  walk('403 insufficient_scope with all scopes but one of its own', ({ endpoint }) => endpoint.scopes.length > 0, async (sample) => {
    for (const scope of sample.endpoint.scopes) {
      const response = await send(sample, { token: await app.token(sample.who, appWithout(scope)) });
      expectError(response, 403, 'insufficient_scope', { required_scope: scope });
      assert.equal(response.headers.get('www-authenticate'), 'Bearer error="insufficient_scope"');
    }
  });
});

test('only GET /v1/me needs no scope', () => {
  assert.deepEqual(samples.filter(({ endpoint }) => endpoint.scopes.length === 0).map(({ title }) => title), ['GET /v1/me']);
});

walk('403 forbidden for a foreign organization, to the byte the same as for none', inOrganization, async (sample) => {
  const ask = (organization_id: string) => send(sample, { path: { organization_id }, headers: { 'x-request-id': 'same' } });
  const foreign = await ask(harborId);
  expectError(foreign, 403, 'forbidden');
  assert.equal((await ask(nothing)).text, foreign.text);
});

walk('422 for a path parameter that is not a UUID', ({ endpoint }) => endpoint.pathVariables.length > 0, async (sample) => {
  for (const name of sample.endpoint.pathVariables) {
    for (const wrong of ['me', '00000000-0000-0000-0000-00000000000g', `${nothing}0`]) {
      expectError(await send(sample, { path: { [name]: wrong } }), 422, 'validation_error', { [name]: ['must be a UUID'] });
    }
  }
});

walk('422 for an unknown query parameter', always, async (sample) => {
  const known = sample.endpoint.queryVariables.map(({ name }) => name).join(', ') || 'none';
  expectError(await send(sample, { query: 'Limit=1' }), 422, 'validation_error', { Limit: [`is not a known parameter; known are ${known}`] });
});

walk('422 for a repeated query parameter', ({ endpoint }) => endpoint.queryVariables.length > 0, async (sample) => {
  for (const { name } of sample.endpoint.queryVariables) {
    const value = encodeURIComponent(sample.query[name] ?? 'x');
    expectError(await send(sample, { query: `${name}=${value}&${name}=${value}` }), 422, 'validation_error', { [name]: ['must be given only once'] });
  }
});

walk('422 for a limit that is not from 1 to 200', ({ query }) => query.limit, async (sample) => {
  for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '1e2']) {
    expectError(await send(sample, { query: `limit=${limit}` }), 422, 'validation_error', { limit: ['must be a whole number from 1 to 200'] });
  }
  dataOf(await send(sample, { query: 'limit=1' }));
  dataOf(await send(sample, { query: 'limit=200' }));
});

walk('422 for an unknown body property', hasBody, async (sample) => {
  const known = bodyProperties(sample.endpoint).join(', ');
  const response = await send(sample, { body: { ...sample.body?.(), Status: 'active' } });
  expectError(response, 422, 'validation_error', { Status: [`is not a known property; known are ${known}`] });
});

walk('415 for a body that is not JSON by its Content-Type', hasBody, async (sample) => {
  const body = JSON.stringify(sample.body?.());
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', 'application/json-patch+json']) {
    expectError(await send(sample, { body, headers: { 'content-type': type } }), 415, 'unsupported_media_type');
  }
  expectError(await send(sample, { body, headers: { 'content-encoding': 'gzip' } }), 415, 'unsupported_media_type');
});

walk('400 for a body that can not be read', hasBody, async (sample) => {
  for (const body of ['', '{', '{"a":1,}', Buffer.from('7b2261223a22ff227d', 'hex')]) {
    expectError(await send(sample, { body }), 400, 'malformed_json');
  }
  expectError(await send(sample, { body: `${'['.repeat(33)}${']'.repeat(33)}` }), 400, 'invalid_request');
  expectError(await send(sample, { body: `${'['.repeat(32)}${']'.repeat(32)}` }), 422, 'validation_error', { body: ['must be an object'] });
});

walk('413 for a body over 1 MiB', hasBody, async (sample) => {
  expectError(await send(sample, { body: ' '.repeat(1024 * 1024 + 1) }), 413, 'payload_too_large');
  expectError(await send(sample, { body: ' '.repeat(1024 * 1024) }), 400, 'malformed_json');
});

walk('405 with Allow for a method that the path does not have', always, async (sample) => {
  const { path } = sample.endpoint.route;
  const methods = samples.filter(({ endpoint }) => endpoint.route.path === path).map(({ endpoint }) => endpoint.route.method);
  const allowed = ['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !methods.includes(each as 'GET'))) {
    const response = await app.rest(method, addressOf(sample), { token: await tokenOf(sample) });
    if (method === 'OPTIONS') assert.equal(response.status, 204);
    else expectError(response, 405, 'method_not_allowed');
    assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), allowed);
  }
});

walk('HEAD answers as GET, without a body', ({ endpoint }) => endpoint.route.method === 'GET', async (sample) => {
  const token = await tokenOf(sample);
  const [head, get] = [await app.rest('HEAD', addressOf(sample), { token }), await send(sample)];
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  for (const name of ['content-type', 'content-length', 'cache-control']) assert.equal(head.headers.get(name), get.headers.get(name), name);
});

walk('X-Request-Id is taken over, and stands in errors', always, async (sample) => {
  const response = await send(sample, { token: undefined, headers: { 'x-request-id': 'Trace_1.a-b' } });
  assert.equal(response.headers.get('x-request-id'), 'Trace_1.a-b');
  expectError(response, 401, 'unauthenticated');
  const made = await send(sample, { token: undefined, headers: { 'x-request-id': 'not one' } });
  assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
});

/** Only what is computed anew at each request differs each time. */
const isStable = ({ endpoint: { route } }: Sample) => route.method === 'GET' && route.reply !== 'page' && route.operation !== 'GetMyResult';

walk('304 for the ETag of the last answer', isStable, async (sample) => {
  const first = await send(sample);
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{20,}"$/);
  assert.equal(first.headers.get('cache-control'), 'private, no-cache');
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await send(sample, { headers: { 'if-none-match': named } });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
  }
  assert.equal((await send(sample, { headers: { 'if-none-match': '"other"' } })).status, 200);
});
