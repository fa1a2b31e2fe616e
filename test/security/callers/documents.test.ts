/**
 * What one document of mutations may do: write in one organization, a bounded number of times, for
 * a bounded time, and pay for each.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { openApp, type Response, startApp } from '../../support/app.js';
import { testOnOne } from '../../support/database.js';
import { ensure } from '../../support/expect.js';
import * as demo from '../../support/names.js';
import { sentDuring } from '../../support/sent.js';

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '1000' });
const token = () => app.token(demo.bothEmail);
const typeIn = (alias: string, organizationId: string) =>
  `${alias}: createCertificationType(organizationId: "${organizationId}", input: { title: "Type ${alias} ${Math.random()}" }) { id }`;
const ask = async (fields: readonly string[], email = demo.bothEmail): Promise<Response> =>
  app.graphql(`mutation { ${fields.join(' ')} }`, {}, { token: await app.token(email) });
const problemOf = ({ body }: Response): [code: string, message: string] | undefined =>
  body.errors?.map(({ extensions, message }: { extensions: { code: string }; message: string }) => [
    extensions.code,
    message,
  ])[0];
const typesNow = async () => (await app.db.query('select from certification_types')).length;
const leftOf = ({ headers }: Response) =>
  Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

test('a second organization is refused, and nothing of the document remains', async () => {
  await app.db.query(`update organization_members set role = 'manager' where email = $1`, [
    demo.bothEmail,
  ]);
  const before = await typesNow();
  const refused = await ask([typeIn('a', demo.skylineId), typeIn('b', demo.harborId)]);
  expect(problemOf(refused)).toEqual([
    'INVALID_REQUEST',
    'A document can write in one organization: send the mutations for another in a request of their own.',
  ]);
  expect(await typesNow()).toBe(before);
  expect(
    problemOf(await ask([typeIn('a', demo.skylineId), typeIn('b', demo.skylineId)])),
  ).toBeUndefined();
  expect(problemOf(await ask([typeIn('c', demo.harborId)]))).toBeUndefined();
});

test('a document that fails at its end waits for no lock of another organization', async () => {
  const answer = await app.db.transaction(async (tx) => {
    await tx.query('select from organization_clocks where organization_id = $1 for update', [
      demo.harborId,
    ]);
    return ask([
      typeIn('a', demo.skylineId),
      typeIn('b', demo.harborId),
      typeIn('c', demo.nothing),
    ]);
  });
  expect(problemOf(answer)?.[0]).toBe('INVALID_REQUEST');
});

testOnOne(
  'a standard definition of another organization is refused without a look at its lock',
  async () => {
    const [standard] = await app.db.query<{ id: string }>(
      `select id from certification_types where scope = 'standard' and organization_id <> $1 limit 1`,
      [demo.skylineId],
    );
    const archive = `archiveCertificationType(organizationId: "${demo.skylineId}", id: "${standard?.id}") { id }`;
    const answer = await app.db.transaction(async (tx) => {
      await tx.query('select from certification_types where id = $1 for update', [standard?.id]);
      return ask([archive]);
    });
    expect(problemOf(answer)?.[0]).toBe('FORBIDDEN');
  },
);

describe('more than 20 mutations', () => {
  const types = (count: number) =>
    Array.from({ length: count }, (_, index) => typeIn(`t${index}`, demo.skylineId));
  test('are refused, in fragments too, and 20 are not', async () => {
    const before = await typesNow();
    const message =
      'A document can have at most 20 mutations, and this one has 21: send the others in another request.';
    for (const fields of [types(21), [`... on Mutation { ${types(21).join(' ')} }`]])
      expect(problemOf(await ask(fields))).toStrictEqual(['INVALID_REQUEST', message]);
    expect(await typesNow()).toBe(before);
    expect(problemOf(await ask(types(20)))).toBeUndefined();
    expect(await typesNow()).toBe(before + 20);
  });

  test('cost as many requests, and one query costs one', async () => {
    const left = async () => leftOf(await app.rest('GET', '/v1/me', { token: await token() }));
    const [first, second] = [await left(), await left()];
    expect(first - second).toBe(1);
    await ask(types(20));
    expect(second - (await left())).toBe(21);
  });
});

test('a document that takes too long begins no other statement, and leaves nothing', async () => {
  await app.db.query(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.2); return new; end $$`,
  );
  await app.db.query(
    'create trigger slowing before insert on certification_types for each row execute function slow()',
  );
  const before = await typesNow();
  const started = performance.now();
  const refused = await ask(
    Array.from({ length: 10 }, (_, index) => typeIn(`s${index}`, demo.skylineId)),
  );
  const took = performance.now() - started;
  await app.db.query('drop trigger slowing on certification_types');
  expect(problemOf(refused)?.[0]).toBe('SERVICE_UNAVAILABLE');
  ensure(took < 9000, `${took} ms`);
  expect(await typesNow()).toBe(before);
});

test('a request that the rate limit refuses asks PostgreSQL nothing', async () => {
  await using limited = await openApp({ RATE_LIMIT_PER_MINUTE: '2' });
  const caller = await limited.token(demo.managerEmail);
  const asks = [
    () => limited.rest('GET', '/v1/me', { token: caller }),
    () => limited.graphql('mutation { a: __typename b: __typename }', {}, { token: caller }),
    () =>
      limited.rest('POST', `${demo.skyline}/certification-types`, {
        token: caller,
        body: { title: 'One too many' },
      }),
  ];
  await asks[0]?.();
  await asks[0]?.();
  const sent = await sentDuring(limited.url, async () => {
    for (let time = 0; time < 30; time++) expect((await asks[time % 3]?.())?.status).toBe(429);
  });
  // One may be of the server itself, such as a look for new signing keys.
  expect(sent).toBeLessThan(3);
});

test('documents that name members in any order hold up no other writer', async () => {
  const [manager, admin] = await Promise.all([
    app.token(demo.managerEmail),
    app.token(demo.adminEmail),
  ]);
  const members = await app.db.query<{ id: string }>(
    `select id from organization_members where organization_id = $1 and role = 'member' order by id limit 8`,
    [demo.skylineId],
  );
  const ids = members.map(({ id }) => id);
  const fieldOf = (id: string, index: number) =>
    `m${index}: updateOrganizationMember(organizationId: "${demo.skylineId}", id: "${id}", input: { firstName: "F${index}" }) { id }`;
  const documentOf = (order: readonly string[]) => `mutation { ${order.map(fieldOf).join(' ')} }`;
  const end = performance.now() + 3000;
  const codes = new Set<string>();
  const write = async (order: readonly string[], token: string) => {
    while (performance.now() < end) {
      const { body } = await app.graphql(documentOf(order), {}, { token });
      codes.add(body.errors?.[0].extensions.code ?? 'done');
    }
  };
  const edit = async (id: string) => {
    while (performance.now() < end)
      expect(
        (await app.graphql(documentOf([id]), {}, { token: admin })).body.errors,
      ).toBeUndefined();
  };
  await Promise.all([
    write(ids, manager),
    write(ids.toReversed(), manager),
    ...ids.slice(0, 4).map(edit),
  ]);
  expect(codes).toContain('done');
  // PostgreSQL finds a deadlock after a second, in which nobody in the organization can write. Its
  // sessions report their counts when idle.
  await delay(2000);
  const [{ deadlocks } = { deadlocks: '' }] = await app.db.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(Number(deadlocks)).toBe(0);
});
