/**
 * A worker of a cluster dies under load: organizations on the other node go on, and after its
 * return every acknowledged record is there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openApp, type TestApp } from '../support/app.js';
import { startCitus, urlOf } from '../support/citus.js';
import { ensure } from '../support/expect.js';
import {
  adminEmail,
  climberEmail,
  harborId,
  memberId,
  skylineId,
  typeId,
} from '../support/names.js';
import { makeDirectory } from '../support/seed.js';
import { prepareTemplate } from '../support/template.js';

interface Tenant {
  readonly organizationId: string;
  readonly admin: string;
  readonly member: string;
}

const tenants: readonly Tenant[] = [
  { organizationId: skylineId, admin: adminEmail, member: memberId(adminEmail) },
  {
    organizationId: harborId,
    admin: 'admin@harbor.example',
    member: memberId('admin@harbor.example', 'harbor-fiber'),
  },
];

interface Outcome {
  readonly sentAt: number;
  readonly status: number;
  readonly id: string | undefined;
}

/** Creates records with a key one after another, and repeats a failed one with the same key. */
async function load(app: TestApp, tenant: Tenant, isOver: () => boolean): Promise<Outcome[]> {
  const { organizationId, admin, member } = tenant;
  const token = await app.token(admin);
  const outcomes: Outcome[] = [];
  let key = crypto.randomUUID();
  while (!isOver()) {
    const sentAt = performance.now();
    const path = `/v1/organizations/${organizationId}/certifications`;
    const { status, body } = await app.rest('POST', path, {
      token,
      body: {
        organization_member_id: member,
        certification_type_id: typeId('rf-awareness'),
        source: 'api',
        external_source: 'drill',
        external_id: key,
      },
      headers: { 'idempotency-key': key },
    });
    outcomes.push({ sentAt, status, id: body?.data?.id });
    if (status === 201) key = crypto.randomUUID();
    else await delay(50);
  }
  return outcomes;
}

const nodeOf = async (app: TestApp, { organizationId }: Tenant) => {
  const [found] = await app.db.query<{ port: number }>(
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('certifications', $1::uuid)`,
    [organizationId],
  );
  return found?.port;
};

test('a killed worker stops its own organizations alone, and loses no acknowledged record', async () => {
  const citus = await startCitus(makeDirectory('citus'));
  await prepareTemplate(
    citus.url,
    [citus.coordinator, ...citus.workers].map(({ port }) => port),
  );
  const url = urlOf(citus.coordinator.port, 'lanyard_template');
  await using app = await openApp({}, { url, drop: () => citus.stop() });
  const [living, dying] = tenants as [Tenant, Tenant];
  const port = await nodeOf(app, dying);
  const worker = citus.workers.find((node) => node.port === port);
  ensure(worker && port !== (await nodeOf(app, living)), 'both are on one node');

  let isOver = false;
  const loads = [living, dying].map((tenant) => load(app, tenant, () => isOver));
  await delay(1500);
  await worker.kill();
  const killedAt = performance.now();
  const token = await app.token(climberEmail);
  expect((await app.rest('GET', '/v1/me', { token })).status).toBe(200);
  await delay(3000);
  const returnsAt = performance.now();
  await worker.start();
  await delay(4000);
  isOver = true;
  const [ofLiving = [], ofDying = []] = await Promise.all(loads);

  const during = ({ sentAt }: Outcome) => sentAt > killedAt && sentAt < returnsAt;
  const statuses = (outcomes: readonly Outcome[]) => [
    ...new Set(outcomes.map(({ status }) => status)),
  ];
  expect(statuses(ofLiving)).toStrictEqual([201]);
  expect(ofLiving.filter(during).length).toBeGreaterThan(5);
  expect(statuses(ofDying.filter(during))).toStrictEqual([503]);
  expect(ofDying.at(-1)?.status).toBe(201);

  for (const [tenant, outcomes] of [
    [living, ofLiving],
    [dying, ofDying],
  ] as const) {
    const acknowledged = outcomes.flatMap(({ id }) => (id ? [id] : []));
    const stored = await app.db.query<{ id: string }>(
      `select id from certifications where organization_id = $1 and external_source = 'drill'`,
      [tenant.organizationId],
    );
    expect(stored.map(({ id }) => id).sort()).toStrictEqual(acknowledged.sort());
  }
}, 120_000);
