/** What holds for every route alike, walked over the route table: who is let in, and how answers go out. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../support/apps.js';
import { addressOf, type Sample, samples } from '../support/cases.js';
import { expectError } from '../support/client.js';
import { type Change, everyRoute, sendSample, walk } from '../support/each-route.js';
import { forgeries } from '../support/forge.js';
import { harborId, nothing } from '../support/names.js';

const app = await startApp();
const send = (sample: Sample, change?: Change) => sendSample(app, sample, change);

test('there are 27 routes', () => assert.equal(samples.length, 27));

walk('401 without a token', everyRoute, async (sample) => {
  const response = await send(sample, { token: undefined });
  expectError(response, 401, 'unauthenticated');
  assert.equal(response.headers.get('www-authenticate'), 'Bearer');
});

walk('401 for a token that is wrong in one thing', everyRoute, async (sample) => {
  for (const [what, token] of Object.entries(await forgeries(app, sample.who))) {
    const response = await send(sample, { token });
    assert.equal(response.status, 401, `a token ${what} got ${response.text}`);
    expectError(response, 401, 'unauthenticated');
    assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
  }
});

describe('403 insufficient_scope', () => {
  before(() => makeAppsWithoutOneScope(app.db));
  walk(
    '403 insufficient_scope with all scopes but one of its own',
    ({ endpoint }) => endpoint.scopes.length > 0,
    async (sample) => {
      for (const scope of sample.endpoint.scopes) {
        const response = await send(sample, { token: await app.token(sample.who, appWithout(scope)) });
        expectError(response, 403, 'insufficient_scope', { required_scope: scope });
        assert.equal(response.headers.get('www-authenticate'), 'Bearer error="insufficient_scope"');
      }
    },
  );
});

/** The first that fits a path tells its families: the rest is `read` for GET and `write` for any other method. */
const families: [path: RegExp, families: string[]][] = [
  [/\/me$/, []],
  [/qualification-results|organization_member_id\}\/qualifications/, ['organization_members', 'certification_records']],
  [/certifications/, ['certification_records']],
  [/job-roles/, ['job_roles']],
  [/certification-types/, ['certification_types']],
  [/qualifications/, ['qualifications']],
  [/organization-members/, ['organization_members']],
  [/organizations/, ['organizations']],
];

walk('the scopes are those of its family', everyRoute, async ({ endpoint: { route, scopes } }) => {
  const [, expected = []] = families.find(([path]) => path.test(route.path)) ?? [];
  assert.deepEqual(
    scopes,
    expected.map((family) => `${family}:${route.method === 'GET' ? 'read' : 'write'}`),
  );
});

walk(
  '403 forbidden for a foreign organization, to the byte the same as for none',
  ({ path }) => path.organization_id,
  async (sample) => {
    const ask = (organization_id: string) => send(sample, { path: { organization_id }, headers: { 'x-request-id': 'same' } });
    const foreign = await ask(harborId);
    expectError(foreign, 403, 'forbidden');
    assert.equal((await ask(nothing)).text, foreign.text);
  },
);

walk('405 with Allow for a method that the path does not have', everyRoute, async (sample) => {
  const { path } = sample.endpoint.route;
  const methods = samples.filter(({ endpoint }) => endpoint.route.path === path).map(({ endpoint }) => endpoint.route.method);
  const allowed = ['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !methods.includes(each as 'GET'))) {
    const response = await app.rest(method, addressOf(sample), { token: await app.token(sample.who) });
    if (method === 'OPTIONS') assert.equal(response.status, 204);
    else expectError(response, 405, 'method_not_allowed');
    assert.deepEqual(response.headers.get('allow')?.split(', ').sort(), allowed);
  }
});

walk(
  'HEAD answers as GET, without a body',
  ({ endpoint }) => endpoint.route.method === 'GET',
  async (sample) => {
    const token = await app.token(sample.who);
    const [head, get] = [await app.rest('HEAD', addressOf(sample), { token }), await send(sample)];
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    for (const name of ['content-type', 'content-length', 'cache-control'])
      assert.equal(head.headers.get(name), get.headers.get(name), name);
  },
);

walk('X-Request-Id is taken over, and stands in errors', everyRoute, async (sample) => {
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
