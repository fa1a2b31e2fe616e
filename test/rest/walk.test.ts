/**
 * What holds for every route alike, walked over the route table: who is let in, and how answers go
 * out.
 */
import { startApp } from '../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../support/apps.js';
import { addressOf, type Sample, samples } from '../support/cases.js';
import { expectError } from '../support/client.js';
import { type Change, everyRoute, sendSample, walk } from '../support/each-route.js';
import { ensure } from '../support/expect.js';
import { forgeries } from '../support/forge.js';
import { harborId, nothing } from '../support/names.js';

const app = await startApp();
const send = (sample: Sample, change?: Change) => sendSample(app, sample, change);

/** Of RFC 6750 and RFC 9728; what is wrong stands between. */
const challenge = (error = '') =>
  `Bearer realm="Lanyard", ${error}resource_metadata="${app.config.BASE_URL}/.well-known/oauth-protected-resource/v1"`;

test('there are 27 routes', () => expect(samples).toHaveLength(27));

walk('401 without a token', everyRoute, async (sample) => {
  const response = await send(sample, { token: undefined });
  expectError(response, 401, 'unauthenticated');
  expect(response.headers.get('www-authenticate')).toBe(challenge());
});

walk('401 for a token that is wrong in one thing', everyRoute, async (sample) => {
  for (const [what, token] of Object.entries(await forgeries(app, sample.who))) {
    const response = await send(sample, { token });
    expect([`a token ${what} got ${response.text}`, response.status]).toStrictEqual([
      expect.any(String),
      401,
    ]);
    expectError(response, 401, 'unauthenticated');
    const description = response.body.error.message;
    expect(response.headers.get('www-authenticate')).toBe(
      challenge(`error="invalid_token", error_description="${description}", `),
    );
  }
});

describe('403 insufficient_scope', () => {
  beforeAll(() => makeAppsWithoutOneScope(app.db));
  walk(
    '403 insufficient_scope with all scopes but one of its own',
    ({ endpoint }) => endpoint.scopes.length > 0,
    async (sample) => {
      for (const scope of sample.endpoint.scopes) {
        const response = await send(sample, {
          token: await app.token(sample.who, appWithout(scope)),
        });
        expectError(response, 403, 'insufficient_scope', { required_scope: scope });
        const named = `error="insufficient_scope", error_description="${response.body.error.message}", scope="${scope}", `;
        expect(response.headers.get('www-authenticate')).toBe(challenge(named));
      }
    },
  );
});

/**
 * The first that fits a path tells its families: the rest is `read` for GET and `write` for any
 * other method.
 */
const families: [path: RegExp, families: string[]][] = [
  [/\/me$/, []],
  [
    /qualification-results|organization_member_id\}\/qualifications/,
    ['organization_members', 'certification_records'],
  ],
  [/certifications/, ['certification_records']],
  [/job-roles/, ['job_roles']],
  [/certification-types/, ['certification_types']],
  [/qualifications/, ['qualifications']],
  [/organization-members/, ['organization_members']],
  [/organizations/, ['organizations']],
];

walk('the scopes are those of its family', everyRoute, async ({ endpoint: { route, scopes } }) => {
  const [, expected = []] = families.find(([path]) => path.test(route.path)) ?? [];
  expect(scopes).toStrictEqual(
    expected.map((family) => `${family}:${route.method === 'GET' ? 'read' : 'write'}`),
  );
});

walk(
  '403 forbidden for a foreign organization, to the byte the same as for none',
  ({ path }) => path.organization_id,
  async (sample) => {
    const ask = (organization_id: string) =>
      send(sample, { path: { organization_id }, headers: { 'x-request-id': 'same' } });
    const foreign = await ask(harborId);
    expectError(foreign, 403, 'forbidden');
    expect((await ask(nothing)).text).toBe(foreign.text);
  },
);

walk('405 with Allow for a method that the path does not have', everyRoute, async (sample) => {
  const { path } = sample.endpoint.route;
  const methods = samples
    .filter(({ endpoint }) => endpoint.route.path === path)
    .map(({ endpoint }) => endpoint.route.method);
  const allowed = ['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (each) => !methods.includes(each as 'GET'),
  )) {
    const response = await app.rest(method, addressOf(sample), {
      token: await app.token(sample.who),
    });
    if (method === 'OPTIONS') expect(response.status).toBe(204);
    else expectError(response, 405, 'method_not_allowed');
    expect(response.headers.get('allow')?.split(', ').sort()).toStrictEqual(allowed);
  }
});

walk(
  'HEAD answers as GET, without a body',
  ({ endpoint }) => endpoint.route.method === 'GET',
  async (sample) => {
    const token = await app.token(sample.who);
    const [head, get] = [await app.rest('HEAD', addressOf(sample), { token }), await send(sample)];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'content-length', 'cache-control'])
      expect([name, head.headers.get(name)]).toStrictEqual([name, get.headers.get(name)]);
  },
);

walk('X-Request-Id is taken over, and stands in errors', everyRoute, async (sample) => {
  const response = await send(sample, {
    token: undefined,
    headers: { 'x-request-id': 'Trace_1.a-b' },
  });
  expect(response.headers.get('x-request-id')).toBe('Trace_1.a-b');
  expectError(response, 401, 'unauthenticated');
  const made = await send(sample, { token: undefined, headers: { 'x-request-id': 'not one' } });
  expect(made.headers.get('x-request-id') ?? '').toMatch(/^[0-9a-f-]{36}$/);
});

walk(
  '304 for the ETag of the last answer',
  ({ endpoint: { route } }) => route.method === 'GET' && route.reply !== 'page',
  async (sample) => {
    const first = await send(sample);
    const etag = first.headers.get('etag') ?? '';
    // A result is computed anew for each response, and differs in the instant of that.
    const isResult = first.body.data.evaluated_at !== undefined;
    expect(etag).toMatch(isResult ? /^W\/"[\w-]{20,}"$/ : /^"([\d:.TZ-]+;)?[\w-]{20,}"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const strong = etag.replace('W/', '');
    for (const named of [strong, `W/${strong}`, `"other", ${etag}`, '*']) {
      const again = await send(sample, { headers: { 'if-none-match': named } });
      expect([again.status, again.text, again.headers.get('etag')]).toStrictEqual([304, '', etag]);
    }
    expect((await send(sample, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  },
);

walk(
  '412 for a version that is not that of the record, and 400 for an If-Match that cannot be read',
  ({ endpoint: { route } }) => ['PATCH', 'PUT', 'DELETE'].includes(route.method),
  async (sample) => {
    const stale = await send(sample, { headers: { 'if-match': '"2001-01-01T00:00:00.000000Z"' } });
    expect([stale.text, stale.status]).toStrictEqual([stale.text, 412]);
    const { current } = stale.body.error.details;
    expectError(stale, 412, 'precondition_failed', { current });
    ensure(current === null || /^\d{4}-.*\.\d{6}Z$/.test(current), String(current));
    expectError(
      await send(sample, { headers: { 'if-match': '2001-01-01T00:00:00.000000Z' } }),
      400,
      'invalid_request',
    );
  },
);
