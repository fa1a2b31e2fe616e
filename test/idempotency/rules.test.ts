/** What an Idempotency-Key promises, rule by rule. */
import { randomUUID } from 'node:crypto';
import { demoId } from '../../src/demo/ids.js';
import { take } from '../../src/graph/execution/idempotency.js';
import { type Response, startApp } from '../support/app.js';
import { dataOf, expectError } from '../support/client.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  harborId,
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

const send = async (
  path: string,
  body: unknown,
  { key, email = managerEmail, client, method = 'POST' }: Sent,
): Promise<Response> =>
  app.rest(method, path, {
    token: await app.token(email, client),
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const refusalOf = ({ status, body }: Response) => [status, body.error?.code];
const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true';
const rf = { certification_type_id: typeId('rf-awareness') };
const types = `${skyline}/certification-types`;
const newType = () => ({ title: `Type ${randomUUID()}` });

/**
 * Every create, with a body that may be sent twice with success but for the key, where there is
 * one.
 */
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
      const [first, second] = [
        await app.rest('POST', path, options),
        await app.rest('POST', path, options),
      ];
      expect([first.status, isReplay(first), second.status, isReplay(second)]).toEqual([
        201,
        false,
        201,
        true,
      ]);
      expect(second.text).toBe(first.text);
      for (const name of ['location', 'content-type'])
        expect(second.headers.get(name)).toBe(first.headers.get(name));
    });

    test('409 for another body, were it only another blank', async () => {
      const [key, first] = [randomUUID(), JSON.stringify(body())];
      dataOf(await send(path, JSON.parse(first), { key }), 201);
      const options = {
        token: await app.token(managerEmail),
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      };
      expectError(
        await app.rest('POST', path, { ...options, body: `${first} ` }),
        409,
        'idempotency_key_reused',
      );
      expect(isReplay(await app.rest('POST', path, { ...options, body: first }))).toBe(true);
    });

    test('503 with Retry-After for every duplicate that comes while the first is at work, then the same answer', async () => {
      const [key, same] = [randomUUID(), body()];
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => send(path, same, { key })),
      );
      const made = responses.filter(({ status }) => status === 201);
      expect(made.length >= 1 && made.filter((each) => !isReplay(each)).length === 1).toBe(true);
      for (const response of responses.filter(({ status }) => status !== 201)) {
        expectError(response, 503, 'idempotency_in_progress');
        expect(response.headers.get('retry-after')).toBe('1');
      }
      const last = await send(path, same, { key });
      expect([...made, last].every(({ text }) => text === last.text)).toBe(true);
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
  const callers: Sent[] = [
    { key },
    { key, email: climberEmail },
    { key, email: adminEmail },
    { key, client: 'demo-sync' },
  ];
  const ids = await Promise.all(
    callers.map(async (caller) => dataOf(await send('/v1/certifications', rf, caller), 201).id),
  );
  expect(new Set(ids).size).toBe(callers.length);
  for (const [index, caller] of callers.entries()) {
    const again = await send('/v1/certifications', rf, caller);
    expect([isReplay(again), again.body.data.id]).toStrictEqual([true, ids[index]]);
  }
});

test('a create that failed leaves the key free, for the same body or another', async () => {
  const [key, slug] = [randomUUID(), `taken-${randomUUID()}`];
  expectError(await send(types, { title: '' }, { key }), 422, 'validation_error', {
    title: ['must not be empty'],
  });
  dataOf(await send(types, { title: 'Holder', slug }, {}), 201);
  expectError(await send(types, { title: 'Late', slug }, { key }), 409, 'conflict', {
    field: 'slug',
  });
  expectError(await send(types, newType(), { key, email: climberEmail }), 403, 'forbidden');
  await app.db.query('delete from certification_types where slug = $1', [slug]);
  const made = await send(types, { title: 'Late', slug }, { key });
  expect([made.status, isReplay(made)]).toEqual([201, false]);
});

test('503 with Retry-After while another process works on the key; free when that one gives up', async () => {
  const [key, body] = [randomUUID(), newType()];
  const claim = {
    appId: demoId('app', 'demo-dashboard'),
    userId: userId(managerEmail),
    key,
    fingerprint: '',
  };
  await expect(
    app.db.transaction(async (tx) => {
      take(tx, claim, 24);
      await tx.query('select');
      const refused = await send(types, body, { key });
      expectError(refused, 503, 'idempotency_in_progress');
      expect(refused.headers.get('retry-after')).toBe('1');
      throw new Error('given up');
    }),
  ).rejects.toThrow(/given up/);
  dataOf(await send(types, body, { key }), 201);
});

test('503 at once while another process works on the key, also where what the request would write is locked', async () => {
  const [key, body] = [randomUUID(), newType()];
  const claim = {
    appId: demoId('app', 'demo-dashboard'),
    userId: userId(managerEmail),
    key,
    fingerprint: '',
  };
  await app.db.transaction(async (tx) => {
    take(tx, claim, 24);
    await tx.query('select from organization_clocks where organization_id = $1 for update', [
      skylineId,
    ]);
    const started = performance.now();
    expectError(await send(types, body, { key }), 503, 'idempotency_in_progress');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a stored answer is for a caller who could still do what it answers', () => {
  const [path, email] = [`${skyline}/organization-members`, adminEmail];
  const ofAdmin = `user_id = '${userId(adminEmail)}' and organization_id = '${skylineId}'`;
  const setMember = (set: string) =>
    app.db.query(`update organization_members set ${set} where ${ofAdmin}`);
  const changes: [
    what: string,
    change: () => Promise<unknown>,
    mend: () => Promise<unknown>,
    code: string,
  ][] = [
    [
      'a role that was lost',
      () => setMember(`role = 'member'`),
      () => setMember(`role = 'admin'`),
      'forbidden',
    ],
    [
      'a suspension',
      () => setMember(`status = 'suspended'`),
      () => setMember(`status = 'active'`),
      'forbidden',
    ],
    [
      'a scope that the app lost',
      () =>
        app.db.query(
          `update apps set api_scopes = array_remove(api_scopes, 'organization_members:write')`,
        ),
      () =>
        app.db.query(
          `update apps set api_scopes = array_append(api_scopes, 'organization_members:write')`,
        ),
      'insufficient_scope',
    ],
  ];
  for (const [what, change, mend, code] of changes)
    test(`${what} refuses it, by the same body, another or an invalid one, and nothing is written`, async () => {
      const [key, body] = [randomUUID(), { email: `${randomUUID()}@skyline.example` }];
      const made = await send(path, body, { key, email });
      dataOf(made, 201);
      const members = async () => (await app.db.query('select from organization_members')).length;
      const before = await members();
      await change();
      try {
        for (const other of [body, { ...body, role: 'manager' }])
          expect(refusalOf(await send(path, other, { key, email }))).toStrictEqual([403, code]);
        const invalid = await send(path, { email: 5 }, { key, email });
        if (code === 'forbidden' && what.includes('role')) expect(isReplay(invalid)).toBe(false);
        else expect(refusalOf(invalid)).toStrictEqual([403, code]);
      } finally {
        await mend();
      }
      expect(await members()).toBe(before);
      const again = await send(path, body, { key, email });
      expect([again.status, isReplay(again), again.text]).toStrictEqual([201, true, made.text]);
    });
});

test('without a member named, a stored answer is for who still reaches its organization', async () => {
  const [key, email] = [randomUUID(), bothEmail];
  const made = await send('/v1/certifications', rf, { key, email });
  expect(dataOf(made, 201).organization_id).toBe(skylineId);
  const set = (organizationId: string, columns: string) =>
    app.db.query(
      `update organization_members set ${columns} where user_id = $1 and organization_id = $2`,
      [userId(email), organizationId],
    );
  await set(skylineId, `is_primary = false, status = 'suspended'`);
  await set(harborId, 'is_primary = true');
  try {
    expectError(await send('/v1/certifications', rf, { key, email }), 403, 'forbidden');
    expectError(
      await send('/v1/certifications', { certification_type_id: 5 }, { key, email }),
      403,
      'forbidden',
    );
  } finally {
    await set(harborId, 'is_primary = false');
    await set(skylineId, `is_primary = true, status = 'active'`);
  }
  const again = await send('/v1/certifications', rf, { key, email });
  expect([again.status, isReplay(again), again.text]).toStrictEqual([201, true, made.text]);
});

describe('a key is compared before the body is validated', () => {
  const invalid: Readonly<Record<string, unknown>> = {
    'an invalid value': { title: 5 },
    'an unknown property': { colour: 'red' },
    'no JSON': '{',
  };
  for (const [what, body] of Object.entries(invalid))
    test(`${what} under a key that was used: 409; under a fresh one it is refused as usual, and the key stays free`, async () => {
      const [used, fresh] = [randomUUID(), randomUUID()];
      dataOf(await send(types, newType(), { key: used }), 201);
      expectError(await send(types, body, { key: used }), 409, 'idempotency_key_reused');
      const usual = await send(types, body, { key: fresh });
      expect(usual.status).toBe(what === 'no JSON' ? 400 : 422);
      expect(await app.db.query('select from idempotency_records where key = $1', [fresh])).toEqual(
        [],
      );
      dataOf(await send(types, newType(), { key: fresh }), 201);
    });

  test('in GraphQL, too: invalid variables, and a document that is none', async () => {
    const key = randomUUID();
    const query =
      'mutation ($o: ID!, $input: CertificationTypeCreate!) { createCertificationType(organizationId: $o, input: $input) { id } }';
    const ask = async (text: string, input: object) =>
      app.graphql(
        text,
        { o: skylineId, input },
        { token: await app.token(adminEmail), headers: { 'idempotency-key': key } },
      );
    const first = await ask(query, newType());
    expect([first.text, first.body.errors]).toStrictEqual([first.text, undefined]);
    for (const other of [
      await ask(query, newType()),
      await ask(query, { title: 5 }),
      await ask('mutation {', newType()),
    ])
      expect([other.text, other.body.errors?.[0]?.extensions.code]).toStrictEqual([
        other.text,
        'IDEMPOTENCY_KEY_REUSED',
      ]);
  });
});

for (const key of ['with blank', 'x'.repeat(256), 'ümlaut', '']) {
  test(`422 naming Idempotency-Key for ${JSON.stringify(key.slice(0, 12))} (${key.length} characters)`, async () => {
    const problem = ['must be 1 to 255 characters of visible ASCII, without blanks'];
    expectError(await send(types, newType(), { key }), 422, 'validation_error', {
      'Idempotency-Key': problem,
    });
  });
}

test('a key of 255 characters, or of any visible ASCII, is fine', async () => {
  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join(
    '',
  );
  for (const key of ['k'.repeat(255), visible]) {
    const body = newType();
    const first = await send(types, body, { key });
    const second = await send(types, body, { key });
    expect([first.status, second.text, isReplay(second)]).toStrictEqual([201, first.text, true]);
  }
});

test('a key is kept for 24 hours, and free after that', async () => {
  const [key, body] = [randomUUID(), newType()];
  dataOf(await send(types, body, { key }), 201);
  const [record] = await app.db.query<{ hours: number }>(
    `select extract(epoch from expires_at - created_at)::int / 3600 as hours from idempotency_records where key = $1`,
    [key],
  );
  expect(record?.hours).toBe(24);
  await app.db.query(`update idempotency_records set expires_at = now() where key = $1`, [key]);
  const other = await send(types, newType(), { key });
  expect([other.status, isReplay(other)]).toEqual([201, false]);
  expectError(await send(types, body, { key }), 409, 'idempotency_key_reused');
});

describe('an Idempotency-Key means nothing', () => {
  const requests: [name: string, method: string, path: string, body: unknown, status: number][] = [
    [
      'PATCH',
      'PATCH',
      `${skyline}/certifications/${recordId(climberEmail, 'rf-awareness')}`,
      { issuer_name: 'A' },
      200,
    ],
    [
      'PUT',
      'PUT',
      `${skyline}/qualifications/${qualificationId('night-crew')}/requirements`,
      { requirements: [] },
      200,
    ],
    ['GET', 'GET', `${skyline}/certifications`, undefined, 200],
    [
      'DELETE',
      'DELETE',
      `${skyline}/organization-members/${memberId(climberEmail)}/job-roles/${randomUUID()}`,
      undefined,
      204,
    ],
  ];
  for (const [name, method, path, body, status] of requests) {
    test(`on ${name}`, async () => {
      const key = randomUUID();
      for (const each of [key, key, 'not a key']) {
        const response = await send(path, body, { method, key: each });
        expect([response.text, [response.status, isReplay(response)]]).toStrictEqual([
          response.text,
          [status, false],
        ]);
      }
      expect(await app.db.query('select from idempotency_records where key = $1', [key])).toEqual(
        [],
      );
    });
  }
});

describe('GraphQL', () => {
  const mutation = `mutation ($input: CertificationTypeCreate!) { createCertificationType(organizationId: "${skylineId}", input: $input) { id title updatedAt } }`;
  const run = async (query: string, variables: object, key: string) =>
    app.graphql(query, variables, {
      token: await app.token(managerEmail),
      headers: { 'idempotency-key': key },
    });
  const codeOf = ({ body }: Response) => body.errors[0].extensions.code;

  test('a mutation with the same header and body again: the same bytes, marked as a replay', async () => {
    const [key, input] = [randomUUID(), newType()];
    const [first, second] = [
      await run(mutation, { input }, key),
      await run(mutation, { input }, key),
    ];
    expect(first.body.data.createCertificationType.title).toBe(input.title);
    expect([isReplay(first), isReplay(second), second.text]).toStrictEqual([
      false,
      true,
      first.text,
    ]);
  });

  test('other variables: IDEMPOTENCY_KEY_REUSED; the same key in REST: 409', async () => {
    const [key, input] = [randomUUID(), newType()];
    await run(mutation, { input }, key);
    const reused = await run(mutation, { input: newType() }, key);
    expect([reused.status, codeOf(reused)]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expectError(await send(types, input, { key }), 409, 'idempotency_key_reused');
  });

  test('duplicates at once: one record, the others IDEMPOTENCY_IN_PROGRESS with Retry-After', async () => {
    const [key, input] = [randomUUID(), newType()];
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => run(mutation, { input }, key)),
    );
    for (const response of responses.filter(({ body }) => body.errors)) {
      expect([response.status, codeOf(response), response.headers.get('retry-after')]).toEqual([
        503,
        'IDEMPOTENCY_IN_PROGRESS',
        '1',
      ]);
    }
    expect(
      await app.db.query('select from certification_types where title = $1', [input.title]),
    ).toHaveLength(1);
  });

  test('a mutation that failed leaves the key free', async () => {
    const [key, input] = [randomUUID(), newType()];
    const slug = input.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    dataOf(await send(types, { title: 'Holder', slug }, {}), 201);
    expect(codeOf(await run(mutation, { input }, key))).toBe('CONFLICT');
    await app.db.query('delete from certification_types where slug = $1', [slug]);
    const made = await run(mutation, { input }, key);
    expect([made.body.data.createCertificationType.title, isReplay(made)]).toStrictEqual([
      input.title,
      false,
    ]);
  });

  test('a query with a key is read anew each time', async () => {
    const key = randomUUID();
    const query = `{ certificationTypes(organizationId: "${skylineId}", first: 200) { nodes { id } } }`;
    const before = await run(query, {}, key);
    dataOf(await send(types, newType(), {}), 201);
    const after = await run(query, {}, key);
    expect(after.body.data.certificationTypes.nodes).toHaveLength(
      before.body.data.certificationTypes.nodes.length + 1,
    );
    expect(isReplay(after)).toBe(false);
  });
});
