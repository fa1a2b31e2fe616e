/** What an Idempotency-Key promises, rule by rule. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { demoId } from '../../src/database/demo/ids.js';
import { take } from '../../src/graph/idempotency.js';
import { type Response, startApp } from '../support/app.js';
import { dataOf, expectError } from '../support/client.js';
import {
  adminEmail,
  climberEmail,
  managerEmail,
  memberId,
  qualificationId,
  recordId,
  skyline,
  skylineId,
  typeId,
  userId,
} from '../support/names.js';

const app = await startApp();

interface Sent {
  readonly key?: string;
  readonly email?: string;
  readonly client?: string;
  readonly method?: string;
}

const send = async (path: string, body: unknown, { key, email = managerEmail, client, method = 'POST' }: Sent): Promise<Response> =>
  app.rest(method, path, { token: await app.token(email, client), body, headers: key === undefined ? {} : { 'idempotency-key': key } });
const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true';
const rf = { certification_type_id: typeId('rf-awareness') };
const types = `${skyline}/certification-types`;
const newType = () => ({ title: `Type ${randomUUID()}` });

/** Every create, with a body that may be sent twice with success but for the key, where there is one. */
const creates: [path: string, body: () => object][] = [
  ['/v1/certifications', () => rf],
  [`${skyline}/certifications`, () => ({ ...rf, organization_member_id: memberId(climberEmail) })],
  [`${skyline}/organization-members`, () => ({ email: `${randomUUID()}@skyline.example` })],
  [types, newType],
  [`${skyline}/qualifications`, () => ({ name: `Qualification ${randomUUID()}` })],
];

for (const [path, body] of creates) {
  describe(`POST ${path.replace(skylineId, '{organization_id}')} with an Idempotency-Key`, () => {
    test('201 again: the same status, bytes and Location, marked as a replay', async () => {
      const [key, same] = [randomUUID(), JSON.stringify(body())];
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const options = { token: await app.token(managerEmail), body: same, headers };
      const [first, second] = [await app.rest('POST', path, options), await app.rest('POST', path, options)];
      assert.deepEqual([first.status, isReplay(first), second.status, isReplay(second)], [201, false, 201, true]);
      assert.equal(second.text, first.text);
      for (const name of ['location', 'content-type']) assert.equal(second.headers.get(name), first.headers.get(name));
    });

    test('409 for another body, were it only another blank', async () => {
      const [key, first] = [randomUUID(), JSON.stringify(body())];
      dataOf(await send(path, JSON.parse(first), { key }), 201);
      const options = { token: await app.token(managerEmail), headers: { 'content-type': 'application/json', 'idempotency-key': key } };
      expectError(await app.rest('POST', path, { ...options, body: `${first} ` }), 409, 'idempotency_key_reused');
      assert.ok(isReplay(await app.rest('POST', path, { ...options, body: first })));
    });

    test('503 with Retry-After for every duplicate that comes while the first is at work, then the same answer', async () => {
      const [key, same] = [randomUUID(), body()];
      const responses = await Promise.all(Array.from({ length: 8 }, () => send(path, same, { key })));
      const made = responses.filter(({ status }) => status === 201);
      assert.ok(made.length >= 1 && made.filter((each) => !isReplay(each)).length === 1);
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expectError(response, 503, 'idempotency_in_progress');
        assert.equal(response.headers.get('retry-after'), '1');
      }
      const last = await send(path, same, { key });
      assert.ok([...made, last].every(({ text }) => text === last.text));
    });
  });
}

test('409 for another route with the same key and body', async () => {
  const key = randomUUID();
  dataOf(await send('/v1/certifications', rf, { key }), 201);
  expectError(await send(`${skyline}/certifications`, rf, { key }), 409, 'idempotency_key_reused');
  expectError(await send(types, newType(), { key }), 409, 'idempotency_key_reused');
});

test('the same key of another person, or of the same person through another app, is another key', async () => {
  const key = randomUUID();
  const callers: Sent[] = [{ key }, { key, email: climberEmail }, { key, email: adminEmail }, { key, client: 'demo-sync' }];
  const ids = await Promise.all(callers.map(async (caller) => dataOf(await send('/v1/certifications', rf, caller), 201).id));
  assert.equal(new Set(ids).size, callers.length);
  for (const [index, caller] of callers.entries()) {
    const again = await send('/v1/certifications', rf, caller);
    assert.deepEqual([isReplay(again), again.body.data.id], [true, ids[index]]);
  }
});

test('a create that failed leaves the key free, for the same body or another', async () => {
  const [key, slug] = [randomUUID(), `taken-${randomUUID()}`];
  expectError(await send(types, { title: '' }, { key }), 422, 'validation_error', { title: ['must not be empty'] });
  dataOf(await send(types, { title: 'Holder', slug }, {}), 201);
  expectError(await send(types, { title: 'Late', slug }, { key }), 409, 'conflict', { field: 'slug' });
  expectError(await send(types, newType(), { key, email: climberEmail }), 403, 'forbidden');
  await app.db.query('delete from certification_types where slug = $1', [slug]);
  const made = await send(types, { title: 'Late', slug }, { key });
  assert.deepEqual([made.status, isReplay(made)], [201, false]);
});

test('503 with Retry-After while another process works on the key; free when that one gives up', async () => {
  const [key, body] = [randomUUID(), newType()];
  const claim = { appId: demoId('app', 'demo-dashboard'), userId: userId(managerEmail), key, fingerprint: '' };
  await assert.rejects(
    app.db.transaction(async (tx) => {
      take(tx, claim, 24);
      await tx.query('select');
      const refused = await send(types, body, { key });
      expectError(refused, 503, 'idempotency_in_progress');
      assert.equal(refused.headers.get('retry-after'), '1');
      throw new Error('given up');
    }),
    /given up/,
  );
  dataOf(await send(types, body, { key }), 201);
});

test('503 at once while another process works on the key, also where what the request would write is locked', async () => {
  const [key, body] = [randomUUID(), newType()];
  const claim = { appId: demoId('app', 'demo-dashboard'), userId: userId(managerEmail), key, fingerprint: '' };
  await app.db.transaction(async (tx) => {
    take(tx, claim, 24);
    await tx.query('select from organization_clocks where organization_id = $1 for update', [skylineId]);
    const started = performance.now();
    expectError(await send(types, body, { key }), 503, 'idempotency_in_progress');
    assert.ok(performance.now() - started < 2000);
  });
});

test('what was done once is told again, also to who may not do it anymore and by a body that would fail now', async () => {
  const [key, body] = [randomUUID(), { email: `${randomUUID()}@skyline.example` }];
  const path = `${skyline}/organization-members`;
  const email = adminEmail;
  const made = dataOf(await send(path, body, { key, email }), 201);
  expectError(await send(path, body, { email }), 409, 'conflict', { field: 'email' });
  const ofAdmin = [userId(adminEmail), skylineId];
  await app.db.query(`update organization_members set role = 'member' where user_id = $1 and organization_id = $2`, ofAdmin);
  try {
    expectError(await send(path, body, { email }), 403, 'forbidden');
    const again = await send(path, body, { key, email });
    assert.deepEqual([again.status, isReplay(again), again.body.data], [201, true, made]);
    expectError(await send(path, { ...body, role: 'manager' }, { key, email }), 409, 'idempotency_key_reused');
  } finally {
    await app.db.query(`update organization_members set role = 'admin' where user_id = $1 and organization_id = $2`, ofAdmin);
  }
});

for (const key of ['with blank', 'x'.repeat(256), 'ümlaut', '']) {
  test(`422 naming Idempotency-Key for ${JSON.stringify(key.slice(0, 12))} (${key.length} characters)`, async () => {
    const problem = ['must be 1 to 255 characters of visible ASCII, without blanks'];
    expectError(await send(types, newType(), { key }), 422, 'validation_error', { 'Idempotency-Key': problem });
  });
}

test('a key of 255 characters, or of any visible ASCII, is fine', async () => {
  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
  for (const key of ['k'.repeat(255), visible]) {
    const body = newType();
    const first = await send(types, body, { key });
    const second = await send(types, body, { key });
    assert.deepEqual([first.status, second.text, isReplay(second)], [201, first.text, true]);
  }
});

test('a key is kept for 24 hours, and free after that', async () => {
  const [key, body] = [randomUUID(), newType()];
  dataOf(await send(types, body, { key }), 201);
  const [record] = await app.db.query<{ hours: number }>(
    `select extract(epoch from expires_at - created_at)::int / 3600 as hours from idempotency_records where key = $1`,
    [key],
  );
  assert.equal(record?.hours, 24);
  await app.db.query(`update idempotency_records set expires_at = clock_timestamp() where key = $1`, [key]);
  const other = await send(types, newType(), { key });
  assert.deepEqual([other.status, isReplay(other)], [201, false]);
  expectError(await send(types, body, { key }), 409, 'idempotency_key_reused');
});

describe('an Idempotency-Key means nothing', () => {
  const requests: [name: string, method: string, path: string, body: unknown, status: number][] = [
    ['PATCH', 'PATCH', `${skyline}/certifications/${recordId(climberEmail, 'rf-awareness')}`, { issuer_name: 'A' }, 200],
    ['PUT', 'PUT', `${skyline}/qualifications/${qualificationId('night-crew')}/requirements`, { requirements: [] }, 200],
    ['GET', 'GET', `${skyline}/certifications`, undefined, 200],
    ['DELETE', 'DELETE', `${skyline}/organization-members/${memberId(climberEmail)}/job-roles/${randomUUID()}`, undefined, 204],
  ];
  for (const [name, method, path, body, status] of requests) {
    test(`on ${name}`, async () => {
      const key = randomUUID();
      for (const each of [key, key, 'not a key']) {
        const response = await send(path, body, { method, key: each });
        assert.deepEqual([response.status, isReplay(response)], [status, false], response.text);
      }
      assert.deepEqual(await app.db.query('select from idempotency_records where key = $1', [key]), []);
    });
  }
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: CertificationTypeCreate!) { createCertificationType(organizationId: "${skylineId}", input: $input) { id title updatedAt } }`;
  const run = async (query: string, variables: object, key: string) =>
    app.graphql(query, variables, { token: await app.token(managerEmail), headers: { 'idempotency-key': key } });
  const codeOf = ({ body }: Response) => body.errors[0].extensions.code;

  test('a mutation with the same header and body again: the same bytes, marked as a replay', async () => {
    const [key, input] = [randomUUID(), newType()];
    const [first, second] = [await run(mutation, { input }, key), await run(mutation, { input }, key)];
    assert.equal(first.body.data.createCertificationType.title, input.title);
    assert.deepEqual([isReplay(first), isReplay(second), second.text], [false, true, first.text]);
  });

  test('other variables: IDEMPOTENCY_KEY_REUSED; the same key in REST: 409', async () => {
    const [key, input] = [randomUUID(), newType()];
    await run(mutation, { input }, key);
    const reused = await run(mutation, { input: newType() }, key);
    assert.deepEqual([reused.status, codeOf(reused)], [409, 'IDEMPOTENCY_KEY_REUSED']);
    expectError(await send(types, input, { key }), 409, 'idempotency_key_reused');
  });

  test('duplicates at once: one record, the others IDEMPOTENCY_IN_PROGRESS with Retry-After', async () => {
    const [key, input] = [randomUUID(), newType()];
    const responses = await Promise.all(Array.from({ length: 6 }, () => run(mutation, { input }, key)));
    for (const response of responses.filter(({ body }) => body.errors)) {
      assert.deepEqual([response.status, codeOf(response), response.headers.get('retry-after')], [503, 'IDEMPOTENCY_IN_PROGRESS', '1']);
    }
    assert.equal((await app.db.query('select from certification_types where title = $1', [input.title])).length, 1);
  });

  test('a mutation that failed leaves the key free', async () => {
    const [key, input] = [randomUUID(), newType()];
    const slug = input.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    dataOf(await send(types, { title: 'Holder', slug }, {}), 201);
    assert.equal(codeOf(await run(mutation, { input }, key)), 'CONFLICT');
    await app.db.query('delete from certification_types where slug = $1', [slug]);
    const made = await run(mutation, { input }, key);
    assert.deepEqual([made.body.data.createCertificationType.title, isReplay(made)], [input.title, false]);
  });

  test('a query with a key is read anew each time', async () => {
    const key = randomUUID();
    const query = `{ certificationTypes(organizationId: "${skylineId}", first: 200) { nodes { id } } }`;
    const before = await run(query, {}, key);
    dataOf(await send(types, newType(), {}), 201);
    const after = await run(query, {}, key);
    assert.equal(after.body.data.certificationTypes.nodes.length, before.body.data.certificationTypes.nodes.length + 1);
    assert.equal(isReplay(after), false);
  });
});
