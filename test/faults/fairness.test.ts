/**
 * Nine quiet tenants beside one hostile caller with 64 connections: none of them gets 5xx, and
 * their requests take about as long as without it. `FAULTS=large` runs each attack for longer, and
 * prints figures that mean something.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { request } from 'undici';
import { issueToken } from '../../src/auth/tokens.js';
import { createOrganization, createUser } from '../../src/cli/operations/people.js';
import { readConfig } from '../../src/config.js';
import { createDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  recordId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import type { Attack } from './attack.js';
import { baseUrl, type Fleet, openFleet, sized } from './fleet.js';

const database = await createDatabase();
const config = readConfig({ BASE_URL: baseUrl });
const seconds = sized(2, 10);

interface Tenant {
  readonly path: string;
  readonly token: string;
  readonly body: string;
}

async function makeTenant(fleet: Fleet, index: number): Promise<Tenant> {
  const [email, slug] = [
    `quiet-${index}@example.com`,
    `quiet-${index}-${randomUUID().slice(0, 8)}`,
  ];
  await createUser(fleet.db, config, email, `Quiet ${index}`);
  await createOrganization(fleet.db, config, { name: `Quiet ${index}`, slug, admin: email });
  await fleet.db.query(
    `update organization_members m set status = 'active', user_id = u.id, is_primary = true from users u where m.email = $1 and u.email = $1`,
    [email],
  );
  const [member] = await fleet.db.query<{ id: string; organizationId: string }>(
    `select m.id, m.organization_id as "organizationId" from organization_members m join organizations o on o.id = m.organization_id where o.slug = $1`,
    [slug],
  );
  return {
    path: `/v1/organizations/${member?.organizationId}/certifications`,
    token: await issueToken(fleet.db, config, email, 'demo-dashboard'),
    body: JSON.stringify({
      organization_member_id: member?.id,
      certification_type_id: typeId('osha-30'),
    }),
  };
}

interface Measured {
  readonly p50: number;
  readonly p99: number;
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Each tenant reads its caller and a list, and creates, one after the other with rests, for some
 * seconds.
 */
async function measure({ bases }: Fleet, tenants: readonly Tenant[]): Promise<Measured> {
  const times: number[] = [];
  const counts: Record<string, number> = {};
  const end = performance.now() + seconds * 1000;
  const work = async ({ path, token, body }: Tenant, index: number) => {
    for (let turn = index; performance.now() < end; turn++) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const started = performance.now();
      const base = bases[turn % bases.length];
      const answer = await (turn % 3 === 0
        ? request(base + path, { method: 'POST', headers, body })
        : request(`${base}${turn % 3 === 1 ? `${path}?limit=20` : '/v1/me'}`, { headers }));
      await answer.body.dump();
      times.push(performance.now() - started);
      counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
      await delay(20 + Math.random() * 20);
    }
  };
  await Promise.all(tenants.map(work));
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), counts };
}

interface Told {
  readonly counts: Readonly<Record<string, number>>;
  /** Of one core. */
  readonly cpu: number;
}

async function under<T>(
  attack: Attack,
  work: () => Promise<T>,
): Promise<{ measured: T; told: Told }> {
  const worker = new Worker(new URL('./attack.js', import.meta.url), { workerData: attack });
  const told = new Promise<Told>((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  await delay(500);
  const measured = await work();
  worker.postMessage('stop');
  return { measured, told: await told };
}

const row = (index: number) => ({
  externalSource: 'attack',
  externalId: `${index}`,
  organizationMemberId: memberId(climberEmail),
  certificationTypeId: typeId('osha-30'),
  serialNumber: '#',
});
const all =
  'id organizationMemberId certificationTypeId source issuedOn expiresOn issuerName serialNumber validityStatus verificationStatus lifecycleStatus createdAt updatedAt';
const lists = Array.from(
  { length: 16 },
  (_, index) => `l${index}: certifications(organizationId: $o, first: 200) { nodes { ${all} } }`,
);
const upsert =
  'mutation ($o: ID!, $rows: [CertificationUpsert!]!) { upsertCertifications(organizationId: $o, rows: $rows) { updatedCount } }';

const attacks: Readonly<Record<string, (fleet: Fleet) => Promise<Attack>>> = {
  'a plain member who updates a record of their own': async ({ bases, db }) => {
    const id = recordId(climberEmail, 'osha-10');
    await db.query(`update certifications set source = 'self-reported' where id = $1`, [id]);
    const token = await issueToken(db, config, climberEmail, 'demo-dashboard');
    return {
      bases,
      token,
      method: 'PATCH',
      path: `${skyline}/certifications/${id}`,
      body: '{"issuer_name":"Issuer #"}',
    };
  },
  'a manager who creates': async ({ bases, db }) => ({
    bases,
    token: await issueToken(db, config, managerEmail, 'demo-dashboard'),
    method: 'POST',
    path: `${skyline}/certifications`,
    body: JSON.stringify({
      organization_member_id: memberId(climberEmail),
      certification_type_id: typeId('osha-30'),
      serial_number: '#',
    }),
  }),
  'bulk upserts of 1,000 rows': async ({ bases, db }) => ({
    bases,
    token: await issueToken(db, config, managerEmail, 'demo-dashboard'),
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({
      query: upsert,
      variables: { o: skylineId, rows: Array.from({ length: 1000 }, (_, index) => row(index)) },
    }),
  }),
  'queries at the limit of cost': async ({ bases, db }) => ({
    bases,
    token: await issueToken(db, config, managerEmail, 'demo-dashboard'),
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({
      query: `query ($o: ID!) { ${lists.join(' ')} }`,
      variables: { o: skylineId },
    }),
  }),
  'streams of changes': async ({ bases, db }) => ({
    bases,
    token: await issueToken(db, config, managerEmail, 'demo-dashboard'),
    method: 'POST',
    path: '/graphql/stream',
    body: JSON.stringify({
      query:
        'subscription ($o: ID!) { changes(organizationId: $o, first: 200) { nodes { kind } pageInfo { endCursor } } }',
      variables: { o: skylineId },
    }),
    isStream: true,
  }),
};

const show = ({ p50, p99 }: Measured) => `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
const failuresIn = ({ counts }: Measured) =>
  Object.keys(counts).filter((status) => Number(status) >= 429);

for (const size of [1, 2])
  describe(`${size} server${size > 1 ? 's' : ''}`, () => {
    let fleet: Fleet;
    let tenants: Awaited<ReturnType<typeof makeTenant>>[];
    beforeAll(async () => {
      fleet = await openFleet(database.url, { size });
      tenants = await Promise.all(
        Array.from({ length: 9 }, (_, index) => makeTenant(fleet, index + 9 * size)),
      );
      // Compiled and prepared.
      await measure(fleet, tenants);
    });
    afterAll(() => fleet?.[Symbol.asyncDispose]());
    for (const [what, attackOf] of Object.entries(attacks))
      test(`beside ${what}`, async () => {
        const attack = await attackOf(fleet);
        const quiet = await measure(fleet, tenants);
        const { measured, told } = await under(attack, () => measure(fleet, tenants));
        console.info(
          `quiet ${show(quiet)}; attacked ${show(measured)} (${(measured.p99 / quiet.p99).toFixed(1)} times); attacker ${JSON.stringify(told)}`,
        );
        expect(told.counts.errors).toBeUndefined(); // the attack is refused for what it asks
        expect(failuresIn(measured)).toEqual([]);
        // Bounds for a busy machine: without shares it is seconds, and 503.
        ensure(
          measured.p50 < Math.max(20 * quiet.p50, 1000),
          `${show(measured)}, quiet ${show(quiet)}`,
        );
      });
  });
