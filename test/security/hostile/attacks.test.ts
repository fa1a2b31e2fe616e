/**
 * Every attack against a server of its own: the right refusal, soon, with nothing told, nothing
 * written and nothing kept.
 */
import { getIntrospectionQuery } from 'graphql';
import { packageRoot } from '../../../src/root.js';
import { ensure, fail } from '../../support/expect.js';
import { type Attack, ask } from './attack.js';
import { bodyAttacks } from './attacks/bodies.js';
import { documentAttacks } from './attacks/documents.js';
import { formAttacks } from './attacks/forms.js';
import { wireAttacks } from './attacks/wire.js';
import { cpuOf } from './process.js';
import { exchange, type RawResponse } from './raw.js';
import { startTarget } from './target.js';

const { server, db, attacker } = await startTarget();

const before = await fingerprint();

/** All rows of what organizations own, people and apps. */
async function fingerprint(): Promise<unknown> {
  const { rows } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'
     union select unnest(array['users', 'apps', 'grants', 'idempotency_records']) order by 1`,
  );
  expect(rows.length).toBeGreaterThan(10);
  const sums = rows.map(
    ({ name }) =>
      `(select md5(string_agg(t::text, ' ' order by t::text)) from ${name} t) as ${name}`,
  );
  return (await db.query(`select ${sums.join(', ')}`)).rows[0];
}

const telling =
  /node_modules|\.[jt]s:\d|dist\/src|\b(select|insert|update)\b.+\b(from|into|set)\b|(Type|Range|Syntax|Reference)Error|Maximum call stack|constraint|oops/i;

function assertRefused({ status: expected }: Attack, { status, body, headers }: RawResponse): void {
  expect([body.slice(0, 500), status]).toStrictEqual([expect.any(String), expected]);
  expect(body).not.toMatch(telling);
  expect(body).not.toContain(packageRoot); // tells where the server is installed
  ensure(body.length < 30_000, `the answer has ${body.length} characters`);
  const type = headers.get('content-type') ?? '';
  if (type.includes('json')) JSON.parse(body);
  else
    ensure(
      type.startsWith('text/html') || status === 417 || (status === 404 && body === 'Not Found'),
      `${type}: ${body.slice(0, 100)}`,
    );
}

/** Sends the attack, and looks at what comes back. */
async function send(attack: Attack): Promise<void> {
  const { responses } = await exchange(
    server.base,
    attack.bytes(attacker),
    attack.status === 0 ? { patience: 200 } : {},
  );
  expect(responses).toHaveLength(attack.status === 0 ? 0 : 1);
  for (const response of responses) assertRefused(attack, response);
}

/** Milliseconds of CPU that the server takes meanwhile. */
async function cpuDuring(work: () => Promise<unknown>): Promise<number> {
  const started = cpuOf(server.child.pid);
  await work();
  return cpuOf(server.child.pid) - started;
}

const rounds = 5;

/** Milliseconds of CPU that a refusal may take on a machine of its own. */
const usual = 100;

/**
 * As much on the machine as it is at the moment: five times what every tool asks, the whole schema,
 * for which it takes 20 at the most.
 */
async function limitNow(): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < rounds; round++)
    taken.push(
      await cpuDuring(() => exchange(server.base, ask(attacker, getIntrospectionQuery()))),
    );
  return 5 * Math.max(...taken);
}

const groups = {
  wire: wireAttacks,
  bodies: bodyAttacks,
  documents: documentAttacks,
  forms: formAttacks,
};
for (const [group, attacks] of Object.entries(groups)) {
  describe(group, () => {
    for (const attack of attacks) {
      test(`${attack.status}: ${attack.name}`, async () => {
        const taken: number[] = [];
        // What something else made dear once is cheap another time.
        while (taken.length < rounds && Math.min(...taken) >= usual)
          taken.push(await cpuDuring(() => send(attack)));
        const least = Math.min(...taken);
        const limit = least < usual ? usual : Math.max(usual, await limitNow());
        ensure(least < limit, `took ${taken} ms, and the limit is ${limit}`);
      });
    }
  });
}

test('all of them at once are refused as well', async () => {
  const waiting = Object.values(groups).flat().values();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const attack of waiting)
        await send(attack).catch((error) => fail(`${attack.name}: ${error.message}`));
    }),
  );
});

test('nothing was written', async () => expect(await fingerprint()).toStrictEqual(before));

test('nothing was unexpected', async () => {
  // Lines go out together: the last ones as the server ends.
  server.child.kill();
  expect(await server.ended).toBe(0);
  expect(server.output.stdout + server.output.stderr).not.toMatch(/unexpected error|Error:/);
});
