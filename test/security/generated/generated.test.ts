/**
 * Random requests to the real application. FUZZ_REQUESTS says how many (20,000 in CI), FUZZ_SEED
 * which.
 */
import fc from 'fast-check';
import { errorCodes } from '../../../src/errors.js';
import { type Response, startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  harborId,
  managerEmail,
  skylineId,
  suspendedEmail,
} from '../../support/names.js';
import { graphqlDocument } from './documents.js';
import { findWrong } from './invariants.js';
import { type RestRequest, restRequest } from './rest.js';
import { type Draft, happens, pick, readPools } from './values.js';

const total = Number(process.env.FUZZ_REQUESTS ?? 3000);
const { seed = 1 } = fc.readConfigureGlobal();

type Request = { readonly who: string | undefined } & (
  | { readonly rest: RestRequest }
  | { readonly graphql: { readonly query: string; readonly variables: Record<string, unknown> } }
);

const app = await startApp();
const pools = await readPools(app.db, [managerEmail, adminEmail, bothEmail]);
// biome-ignore format: weights
const people = [managerEmail, managerEmail, managerEmail, managerEmail, adminEmail, adminEmail, adminEmail, bothEmail, climberEmail, climberEmail, suspendedEmail];

/**
 * One request of REST, or some that ask the same document with other variables: most of what a
 * request costs is reading a new document.
 */
const requests: fc.Arbitrary<Request[]> = fc.gen().map((g) => {
  const home = happens({ g }, 90) ? skylineId : harborId;
  const draft: Draft = { g, pools, home, isWild: happens({ g }, 35) };
  const somebody = () => (happens({ g }, 98) ? pick({ g }, people) : undefined);
  if (happens({ g }, 83)) return [{ who: somebody(), rest: restRequest(draft) }];
  const { query, variables } = graphqlDocument(draft);
  return Array.from({ length: 4 }, () => ({
    who: somebody(),
    graphql: { query, variables: variables(draft) },
  }));
});

const telling =
  /node_modules|\.[jt]s:\d|\b(select|insert into|update|delete from)\b.+\b(from|values|set|where)\b|(Type|Range|Reference)Error|Maximum call stack|violates/;
const codes = new Set(errorCodes.map((code) => code.toUpperCase()));

const requireSilent = (text: string): void =>
  ensure(!telling.test(text), `${text} must not match ${telling}`);

function assertServed({ status, headers, text }: Response): void {
  ensure(status < 500 || (status === 503 && headers.get('retry-after')), text);
  // Without matchers in what runs for each request: they take as long as the request.
  if (status >= 400) requireSilent(text);
}

function assertGraphql(response: Response): void {
  const { status, body, text } = response;
  ensure([200, 400, 401, 409, 422, 503].includes(status), text);
  ensure(
    Object.keys(body).every((name) => ['data', 'errors', 'extensions'].includes(name)),
    text,
  );
  ensure(body.errors?.length > 0 || (body.data !== null && body.data !== undefined), text);
  for (const { message, extensions } of body.errors ?? []) {
    ensure(
      typeof message === 'string' &&
        message.length > 0 &&
        codes.has(extensions.code) &&
        extensions.code !== 'INTERNAL_ERROR',
      text,
    );
    requireSilent(message);
    ensure(extensions.request_id === response.headers.get('x-request-id'), text);
  }
}

interface Tally {
  readonly kind: string;
  readonly created: string | undefined;
}

/**
 * Sends it and looks at the answer. @returns How it counts, and the request id where it made a
 * record by REST.
 */
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
    return {
      kind: `REST ${response.status}`,
      created: isNew ? (response.headers.get('x-request-id') ?? '') : undefined,
    };
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
  [
    `FUZZ_SEED=${seed}`,
    JSON.stringify(request, null, 2),
    ...unexpected().map((line) => JSON.stringify(line)),
  ].join('\n');

const unexpected = (): object[] =>
  app.log.filter((line) => (line as { level: number }).level >= 50);

test(`${total} random requests are served or refused as the documents say`, async () => {
  console.info(`FUZZ_SEED=${seed}`);
  const [{ since } = { since: '' }] = await app.db.query<{ since: string }>(
    'select clock_timestamp() as since',
  );
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
  const done = counts
    .filter(([kind]) => /REST 2|done/.test(kind))
    .reduce((sum, [, count]) => sum + count, 0);
  console.info(
    `${Math.round(seconds)} s, ${Math.round((100 * done) / total)} % done: ${counts.map((each) => each.join(' × ')).join(', ')}`,
  );

  const isUnavailable = (line: object): boolean =>
    'msg' in line && line.msg === 'database unavailable';
  expect(unexpected().filter((line) => !isUnavailable(line))).toEqual([]);
  // A machine that is busy with other tests lets a lock time out: a 503 with Retry-After, but a
  // rare one.
  ensure(
    unexpected().filter(isUnavailable).length <= total / 500,
    JSON.stringify(unexpected(), null, 2),
  );
  expect(await findWrong(app.db, since)).toStrictEqual({});
  const known = await app.db.query(
    'select distinct request_id from audit_events where request_id = any($1)',
    [created],
  );
  expect(known).toHaveLength(created.length); // a record was made without its audit event
  expect(done).toBeGreaterThanOrEqual(total / 5); // too few requests were good
  expect(created.length).toBeGreaterThanOrEqual(total / 100); // too few records were made
}, 1_800_000);
