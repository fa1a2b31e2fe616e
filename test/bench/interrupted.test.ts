/**
 * A benchmark that is interrupted while it seeds leaves no half database that the next one would
 * take for whole.
 */
import { seededCopy, withClient } from '../../bench/seed/seed.js';
import { fail } from '../support/expect.js';

const server = process.env.LANYARD_TEST_POSTGRES ?? fail('No PostgreSQL for tests');
/** Its own, so that no other test seeds the same. */
const scale = 0.011;

const counts = (url: string): Promise<object> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from organization_members) as members, (select count(*)::int from certifications) as certifications,
         (select count(*)::int from users where password_hash is not null) as managers`,
    );
    return rows[0];
  });

test('seeding that ends early is begun anew, and what is whole is kept', async () => {
  let told = 0;
  const interruptedAt = (step: number) => () => {
    if (++told === step) throw new Error('stopped');
  };
  for (const step of [1, 5, 9]) {
    told = 0;
    await expect(seededCopy(server, scale, interruptedAt(step))).rejects.toThrow(/stopped/);
  }
  told = 0;
  const first = await seededCopy(server, scale, interruptedAt(Number.POSITIVE_INFINITY));
  const whole = { members: 220, certifications: 2200, managers: 200 };
  expect(await counts(first.url)).toStrictEqual(whole);
  await first.drop();
  expect(told).toBeGreaterThan(9); // it was seeded whole

  told = 0;
  const again = await seededCopy(server, scale, interruptedAt(1));
  expect([await counts(again.url), told]).toStrictEqual([whole, 0]);
  await again.drop();
});
