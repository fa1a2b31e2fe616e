/**
 * Creates and lists per second on one, two and three nodes of one machine, in turn. With
 * FAULTS=large alone: it measures, and takes minutes.
 */
import { openApp, type TestApp } from '../support/app.js';
import { startCitus, urlOf } from '../support/citus.js';
import { ensure } from '../support/expect.js';
import { adminEmail, typeId } from '../support/names.js';
import { makeDirectory } from '../support/seed.js';
import { prepareTemplate } from '../support/template.js';
import { found } from '../support/tenants.js';

const organizations = 16;
const callers = 16;
const roundMs = 4000;
const rounds = 3;

interface Tenant {
  readonly organizationId: string;
  readonly memberId: string;
}

async function start(workers: number): Promise<readonly [TestApp, readonly Tenant[]]> {
  const citus = await startCitus(makeDirectory('citus'), workers);
  await prepareTemplate(
    citus.url,
    [citus.coordinator, ...citus.workers].map(({ port }) => port),
  );
  const url = urlOf(citus.coordinator.port, 'lanyard_template');
  const app = await openApp({}, { url, drop: () => citus.stop() });
  for (let count = 0; count < organizations; count++) await found(app.db, adminEmail);
  await app.db.query(`update organization_members set role = 'admin' where email = $1`, [
    adminEmail,
  ]);
  const tenants = await app.db.query<Tenant>(
    `select organization_id as "organizationId", id as "memberId" from organization_members where email = $1`,
    [adminEmail],
  );
  return [app, tenants];
}

/** Requests per second of a round. */
async function rateOf(app: TestApp, tenants: readonly Tenant[], isWriting: boolean) {
  const token = await app.token(adminEmail);
  const end = performance.now() + roundMs;
  let count = 0;
  const call = async (turn: number) => {
    for (let at = turn; performance.now() < end; at++) {
      const { organizationId, memberId } = tenants[at % tenants.length] as Tenant;
      const path = `/v1/organizations/${organizationId}/certifications`;
      const body = {
        organization_member_id: memberId,
        certification_type_id: typeId('rf-awareness'),
        source: 'api',
      };
      const { status } = isWriting
        ? await app.rest('POST', path, { token, body })
        : await app.rest('GET', path, { token });
      ensure(status < 300, `status ${status}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
  return count / (roundMs / 1000);
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const measured = process.env.FAULTS === 'large' ? test : test.skip;

measured(
  'creates and lists per second, on one, two and three nodes',
  async () => {
    const clusters = [await start(0), await start(1), await start(2)];
    const rates = clusters.map(() => ({ creates: [] as number[], lists: [] as number[] }));
    for (let round = 0; round < rounds; round++)
      for (const [index, [app, tenants]] of clusters.entries()) {
        rates[index]?.creates.push(await rateOf(app, tenants, true));
        rates[index]?.lists.push(await rateOf(app, tenants, false));
      }
    for (const [app] of clusters) await app[Symbol.asyncDispose]();
    const medians = rates.map(({ creates, lists }) => [median(creates), median(lists)] as const);
    for (const [index, [creates, lists]] of medians.entries()) {
      const [first] = medians;
      console.info(
        `${index + 1} nodes: ${creates.toFixed(0)} creates/s (${(creates / (first?.[0] ?? 1)).toFixed(2)}), ${lists.toFixed(0)} lists/s (${(lists / (first?.[1] ?? 1)).toFixed(2)})`,
      );
      expect(creates).toBeGreaterThan(0);
    }
  },
  600_000,
);
