/** Random requests to the real application. FUZZ_REQUESTS says how many (20,000 in CI), FUZZ_SEED which: the same seed makes the same requests. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { errorCodes } from '../../../src/errors.js';
import { type Response, startApp } from '../../support/app.js';
import { adminEmail, bothEmail, climberEmail, harborId, managerEmail, skylineId, suspendedEmail } from '../../support/names.js';
import { graphqlDocument } from './documents.js';
import { findWrong } from './invariants.js';
import { type RestRequest, restRequest } from './rest.js';
import { type Draft, happens, pick, readPools } from './values.js';

const total = Number(process.env.FUZZ_REQUESTS ?? 3000);
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));

type Request = { readonly who: string | undefined } & (
  | { readonly rest: RestRequest }
  | { readonly graphql: { readonly query: string; readonly variables: Record<string, unknown> } }
);

const app = await startApp();
const pools = await readPools(app.db);
// biome-ignore format: weights
const people = [managerEmail, managerEmail, managerEmail, managerEmail, adminEmail, adminEmail, adminEmail, bothEmail, climberEmail, climberEmail, suspendedEmail];

/** One request of REST, or some that ask the same document with other variables: most of what a request costs is reading a new document. */
const requests: fc.Arbitrary<Request[]> = fc.gen().map((g) => {
  const home = happens({ g }, 90) ? skylineId : harborId;
  const draft: Draft = { g, pools, home, isWild: happens({ g }, 35) };
  const somebody = () => (happens({ g }, 98) ? pick({ g }, people) : undefined);
  if (happens({ g }, 83)) return [{ who: somebody(), rest: restRequest(draft) }];
  const { query, variables } = graphqlDocument(draft);
  return Array.from({ length: 4 }, () => ({ who: somebody(), graphql: { query, variables: variables(draft) } }));
});

const telling =
  /node_modules|\.[jt]s:\d|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b|(Type|Range|Reference)Error|Maximum call stack|violates/;
const codes = new Set(errorCodes.map((code) => code.toUpperCase()));

function assertServed({ status, headers, text }: Response): void {
  assert.ok(status < 500 || (status === 503 && headers.get('retry-after')), text);
  if (status >= 400) assert.doesNotMatch(text, telling);
}

function assertGraphql(response: Response): void {
  const { status, body, text } = response;
  assert.ok([200, 400, 401, 409, 422, 503].includes(status), text);
  assert.deepEqual(
    Object.keys(body).filter((name) => !['data', 'errors', 'extensions'].includes(name)),
    [],
  );
  assert.ok(body.errors?.length > 0 || (body.data !== null && body.data !== undefined), text);
  for (const { message, extensions } of body.errors ?? []) {
    assert.ok(
      typeof message === 'string' && message.length > 0 && codes.has(extensions.code) && extensions.code !== 'INTERNAL_ERROR',
      text,
    );
    assert.doesNotMatch(message, telling);
    assert.equal(extensions.request_id, response.headers.get('x-request-id'));
  }
}

interface Tally {
  readonly kind: string;
  readonly created: string | undefined;
}

/** Sends it and looks at the answer. @returns How it counts, and the request id where it made a record by REST. */
async function check(request: Request): Promise<Tally> {
  const token = request.who && (await app.token(request.who));
  if ('rest' in request) {
    const { method, path, body, headers } = request.rest;
    const response = await app.rest(method, path, {
      token,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(body !== undefined && { headers: { ...headers, 'content-type': 'application/json' } }),
    });
    assertServed(response);
    const isNew = response.status === 201 && !response.headers.has('idempotency-replayed');
    return { kind: `REST ${response.status}`, created: isNew ? (response.headers.get('x-request-id') ?? '') : undefined };
  }
  const { query, variables } = request.graphql;
  const response = await app.graphql(query, variables, { token });
  assertServed(response);
  assertGraphql(response);
  const [error] = response.body.errors ?? [];
  const kind = query.startsWith('mutation') ? 'mutation' : 'query';
  return { kind: `${kind} ${error ? error.extensions.code : 'done'}`, created: undefined };
}

/** The request alone, to send again by hand, and what the server logged as unexpected. */
const reproduction = (request: Request): string =>
  [`FUZZ_SEED=${seed}`, JSON.stringify(request, null, 2), ...unexpected().map((line) => JSON.stringify(line))].join('\n');

const unexpected = (): object[] => app.log.filter((line) => (line as { level: number }).level >= 50);

test(`${total} random requests are served or refused as the documents say`, { timeout: 1_800_000 }, async (t) => {
  t.diagnostic(`FUZZ_SEED=${seed}`);
  const [{ since } = { since: '' }] = await app.db.query<{ since: string }>('select clock_timestamp() as since');
  const tally = new Map<string, number>();
  const created: string[] = [];
  const parallel = 12;
  const started = performance.now();
  for (let batch = 0, sent = 0; sent < total; batch++) {
    const drawn = fc
      .sample(requests, { seed: seed + batch, numRuns: 1000 })
      .flat()
      .slice(0, total - sent);
    sent += drawn.length;
    const some = drawn.values();
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (const request of some) {
          const { kind, created: requestId } = await check(request).catch((error: Error) => {
            throw new Error(`${error.message}\n${reproduction(request)}`, { cause: error });
          });
          tally.set(kind, (tally.get(kind) ?? 0) + 1);
          if (requestId) created.push(requestId);
        }
      }),
    );
  }
  const seconds = (performance.now() - started) / 1000;
  const counts = [...tally].sort();
  const done = counts.filter(([kind]) => /REST 2|done/.test(kind)).reduce((sum, [, count]) => sum + count, 0);
  t.diagnostic(
    `${Math.round(seconds)} s, ${Math.round((100 * done) / total)} % done: ${counts.map((each) => each.join(' × ')).join(', ')}`,
  );

  assert.deepEqual(unexpected(), [], 'something unexpected was logged');
  assert.deepEqual(await findWrong(app.db, since), {});
  const known = await app.db.query('select distinct request_id from audit_events where request_id = any($1)', [created]);
  assert.equal(known.length, created.length, 'a record was made without its audit event');
  // Fewer the longer it lasts: among what succeeds is that people are suspended.
  assert.ok(done >= total / 5, 'too few requests were good');
  assert.ok(created.length >= total / 100, 'too few records were made');
});
