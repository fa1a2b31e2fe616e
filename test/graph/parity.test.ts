/**
 * REST and GraphQL answer alike. Two servers on equal databases get the same requests, the one over
 * REST, the other as the same operation over /graphql; data, denials, errors and what is written
 * must be the same. The requests are made from the route table: a new route needs no test here.
 */
import { startApp, type TestApp } from '../support/app.js';
import { appWithout, makeAppsWithoutOneScope } from '../support/apps.js';
import { addressOf, bodyProperties, type Sample, samples } from '../support/cases.js';
import { ensure } from '../support/expect.js';
import { bothEmail, climberEmail, harborId, nothing, suspendedEmail } from '../support/names.js';
import { documentOf, fromGraphql, fromRest, variablesOf, withoutOwn } from '../support/twins.js';

const [rest, graph] = await Promise.all([startApp(), startApp()]);
const since = new Date().toISOString();

interface Change {
  readonly who?: string;
  readonly clientId?: string;
  readonly isAnonymous?: boolean;
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly key?: string;
}

/** Sends the request in both styles and expects one outcome. @returns Its status. */
async function compare(sample: Sample, what: string, change: Change = {}): Promise<number> {
  const { who = sample.who, clientId, isAnonymous, query = sample.query, key } = change;
  const path = { ...sample.path, ...change.path };
  const body = 'body' in change ? change.body : sample.body?.();
  const options = async (app: TestApp) => ({
    token: isAnonymous ? undefined : await app.token(who, clientId),
    ...(key && { headers: { 'idempotency-key': key } }),
  });
  const address = addressOf(sample, { path, query: new URLSearchParams(query).toString() });
  const raw = sample.endpoint.body && JSON.stringify(body);
  const response = await rest.rest(sample.endpoint.route.method, address, {
    ...(await options(rest)),
    body: raw,
  });
  const twin = await graph.graphql(
    documentOf(sample.endpoint),
    variablesOf(sample, path, query, body),
    await options(graph),
  );
  const expected = withoutOwn(fromRest(sample, response), since);
  expect([what, withoutOwn(fromGraphql(sample, twin, response.status), since)]).toStrictEqual([
    what,
    expected,
  ]);
  for (const name of ['idempotency-replayed', 'retry-after'])
    expect([what, twin.headers.get(name)]).toStrictEqual([what, response.headers.get(name)]);
  return response.status;
}

type Situations = (sample: Sample) => Iterable<[what: string, change: Change]>;

const wrongValues = ['', 'x', 7, true, null, [], {}, 'a\u0000b', '2025-02-30', 'x'.repeat(6000)];
const wrongTexts = (name: string) =>
  name === 'limit' ? ['', '0', '201', '1.5', 'x'] : ['', 'x\u0000', 'x'.repeat(600)];
const without = (body: object, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));

/** Changes to a valid request, and the statuses that they may end in. */
const situations: Record<string, { statuses: number[]; of: Situations }> = {
  'no token': { statuses: [401], of: () => [['no token', { isAnonymous: true }]] },
  'a missing scope': {
    statuses: [403],
    of: ({ endpoint }) => endpoint.scopes.map((scope) => [scope, { clientId: appWithout(scope) }]),
  },
  'a foreign organization, or none': {
    statuses: [403],
    of: ({ path }) =>
      path.organization_id
        ? [harborId, nothing].map((id) => [id, { path: { organization_id: id } }])
        : [],
  },
  'an app that is not approved for all': {
    statuses: [200, 403],
    of: () => ['demo-pending', 'demo-reader'].map((clientId) => [clientId, { clientId }]),
  },
  'another person': {
    statuses: [200, 201, 204, 403, 404],
    of: () =>
      [
        climberEmail,
        'keisha.broussard@skyline.example',
        bothEmail,
        suspendedEmail,
        'admin@harbor.example',
      ].map((who) => [who, { who }]),
  },
  'an id of nothing': {
    statuses: [204, 403, 404],
    of: ({ path }) => Object.keys(path).map((name) => [name, { path: { [name]: nothing } }]),
  },
  'an id that is none': {
    statuses: [422],
    of: ({ path }) => Object.keys(path).map((name) => [name, { path: { [name]: 'me' } }]),
  },
  'no filters': {
    statuses: [200],
    of: ({ query }) => (query.limit ? [['all as usual', { query: {} }]] : []),
  },
  'a wrong filter': {
    statuses: [422],
    of: ({ endpoint, query }) =>
      endpoint.queryVariables
        .filter(({ name }) => name !== 'q')
        .flatMap(({ name }) =>
          wrongTexts(name).map((text) => [
            `${name}=${text}`,
            { query: { ...query, [name]: text } },
          ]),
        ),
  },
  'an unknown property': {
    statuses: [422],
    of: ({ body }) => (body ? [['shoe_size', { body: { ...body(), shoe_size: 43 } }]] : []),
  },
  'a property left out': {
    statuses: [200, 201, 409, 422],
    of: ({ endpoint, body }) =>
      bodyProperties(endpoint).map((name) => [name, { body: without(body?.() ?? {}, name) }]),
  },
  'a property of the wrong kind': {
    statuses: [200, 201, 403, 409, 422],
    of: ({ endpoint, body }) =>
      bodyProperties(endpoint).flatMap((name) =>
        wrongValues.map((value) => [
          `${name}: ${JSON.stringify(value)}`,
          { body: { ...body?.(), [name]: value } },
        ]),
      ),
  },
  'a body that is none': {
    statuses: [200, 422],
    of: ({ body }) =>
      body ? [null, 7, 'x', [], {}].map((value) => [JSON.stringify(value), { body: value }]) : [],
  },
};

beforeAll(() => Promise.all([rest, graph].map(({ db }) => makeAppsWithoutOneScope(db))));

for (const sample of samples) {
  describe(`${sample.title} as ${sample.endpoint.route.operation}`, () => {
    test('success', async () => expect(await compare(sample, 'success')).toBeLessThan(300));

    if (sample.endpoint.route.reply === 'created') {
      test('the same Idempotency-Key again, and with another body', async () => {
        const [first, other] = [sample.body?.(), sample.body?.()];
        const key = sample.endpoint.route.operation;
        const statuses = [];
        for (const body of [first, first, other])
          statuses.push(await compare(sample, JSON.stringify(body), { body, key }));
        expect(statuses).toEqual([201, 201, 409]);
        expect(await compare(sample, 'no key', { key: 'a b' })).toBe(422);
      });
    }

    for (const [name, { statuses, of }] of Object.entries(situations)) {
      const changes = [...of(sample)];
      if (changes.length === 0) continue;
      test(name, async () => {
        for (const [what, change] of changes) {
          const status = await compare(sample, what, change);
          ensure(
            statuses.includes(status) || sample.endpoint.scopes.length === 0,
            `${what}: ${status}`,
          );
        }
      });
    }
  });
}

test('both styles wrote the same, and left the same trail', async () => {
  const trail = async ({ db }: TestApp) => {
    const events = await db.query(
      'select action, organization_id, user_id, subject_type, changes from audit_events order by occurred_at, id',
    );
    return withoutOwn(events, since);
  };
  const expected = (await trail(rest)) as unknown[];
  expect(expected.length).toBeGreaterThan(50);
  expect(await trail(graph)).toStrictEqual(expected);
});
