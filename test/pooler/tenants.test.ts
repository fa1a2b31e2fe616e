/**
 * Four callers of two organizations through two servers and one pooler, whose four sessions
 * everything shares: nobody gets what is another's.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { sized } from '../faults/fleet.js';
import { openApp, send, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { isInstalled } from '../support/installed.js';
import { climberEmail, harborId, managerEmail, skylineId, typeId } from '../support/names.js';
import { type Server, startServer } from '../support/server.js';
import { openStream } from '../support/stream.js';
import { type Bouncer, settleRole, startBouncer } from './bouncer.js';

const requests = sized(1500, 10_000);
const callersAtOnce = 24;
const skip = !isInstalled('pgbouncer') && "needs Debian's pgbouncer";

interface Caller {
  readonly email: string;
  readonly organizationId: string;
  readonly foreignId: string;
  /** The ids of what it made. */
  readonly made: string[];
}

const callers: Caller[] = [
  [managerEmail, skylineId, harborId],
  [climberEmail, skylineId, harborId],
  ['admin@harbor.example', harborId, skylineId],
].map(([email = '', organizationId = '', foreignId = '']) => ({
  email,
  organizationId,
  foreignId,
  made: [],
}));

const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T;

(skip ? describe.skip : describe)('through pgbouncer in transaction mode', () => {
  let database: TestDatabase;
  let bouncer: Bouncer;
  let app: TestApp;
  const servers: Server[] = [];
  beforeAll(async () => {
    database = await createDatabase();
    bouncer = await startBouncer(database.url, 4);
    await settleRole(database.url, bouncer);
    const environment = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
    app = await openApp(environment, {
      url: database.url,
      drop: () => bouncer.stop().then(database.drop),
    });
    const start = () =>
      startServer({ ...environment, BASE_URL: app.config.BASE_URL, LOG_LEVEL: 'error' });
    servers.push(...(await Promise.all([start(), start()])));
  });
  afterAll(async () => {
    await Promise.all(servers.map(({ child, ended }) => child.kill('SIGTERM') && ended));
    await app?.[Symbol.asyncDispose]();
  });

  let sent = 0;
  const ask = async (
    { email }: Caller,
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ) => {
    sent++;
    const token = await app.token(email);
    return send(pick(servers).base, method, path, {
      token,
      body,
      headers: key ? { 'idempotency-key': key } : {},
    });
  };

  async function graphql(caller: Caller, query: string, variables: object) {
    const { body } = await ask(caller, 'POST', '/graphql', { query, variables });
    expect(body.errors).toBeUndefined();
    return body.data;
  }

  const newRecord = ({ email }: Caller) => ({
    external_id: randomUUID(),
    external_source: email,
    certification_type_id: typeId('rf-awareness'),
  });

  /** What a caller does, each with all that shows whose the answer is. */
  const deeds: ((caller: Caller) => Promise<void>)[] = [
    async (caller) => {
      const { body } = await ask(caller, 'GET', '/v1/me');
      expect(body.data.user.email).toBe(caller.email);
    },
    async (caller) => {
      const { status, body } = await ask(caller, 'GET', '/v1/certifications?limit=20');
      expect(status).toBe(200);
      for (const record of body.data) expect(record.organization_id).toBe(caller.organizationId);
    },
    async (caller) => {
      const { body } = await ask(
        caller,
        'GET',
        `/v1/organizations/${caller.organizationId}/certifications?external_source=${caller.email}`,
      );
      for (const record of body.data)
        expect([record.organization_id, record.external_source]).toStrictEqual([
          caller.organizationId,
          caller.email,
        ]);
    },
    async (caller) => {
      const { status } = await ask(
        caller,
        'GET',
        `/v1/organizations/${caller.foreignId}/certifications`,
      );
      expect(status).toBe(403);
    },
    async (caller) => {
      const query = `query ($id: ID!) { me { user { email } } organization(id: $id) { id }
        certifications(organizationId: $id, first: 5) { nodes { organizationId certificationType { id } } } }`;
      const data = await graphql(caller, query, { id: caller.organizationId });
      expect([data.me.user.email, data.organization.id]).toStrictEqual([
        caller.email,
        caller.organizationId,
      ]);
      for (const { organizationId } of data.certifications.nodes)
        expect(organizationId).toBe(caller.organizationId);
    },
    async (caller) => {
      if (caller.made.length === 0) return;
      const id = pick(caller.made);
      const { status, body } = await ask(caller, 'GET', `/v1/certifications/${id}`);
      expect([status, body.data?.id, body.data?.external_source]).toStrictEqual([
        200,
        id,
        caller.email,
      ]);
    },
    async (caller) => {
      const [record, key] = [newRecord(caller), randomUUID()];
      const first = await ask(caller, 'POST', '/v1/certifications', record, key);
      expect([first.text, first.status]).toStrictEqual([first.text, 201]);
      const { id, organization_id, external_id } = first.body.data;
      expect([organization_id, external_id]).toStrictEqual([
        caller.organizationId,
        record.external_id,
      ]);
      caller.made.push(id);
      const again = await ask(caller, 'POST', '/v1/certifications', record, key);
      expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toStrictEqual([
        201,
        first.text,
        'true',
      ]);
    },
    async (caller) => {
      const {
        external_id: externalId,
        external_source: externalSource,
        certification_type_id: certificationTypeId,
      } = newRecord(caller);
      const mutation = `mutation ($id: ID!, $input: CertificationCreate!) {
        createCertification(organizationId: $id, input: $input) { id externalId externalSource organizationId } }`;
      const input = { externalId, externalSource, certificationTypeId, source: 'SELF_REPORTED' };
      const { createCertification } = await graphql(caller, mutation, {
        id: caller.organizationId,
        input,
      });
      const { id, ...rest } = createCertification;
      expect(rest).toStrictEqual({
        externalId,
        externalSource,
        organizationId: caller.organizationId,
      });
      caller.made.push(id);
    },
  ];

  test(`${requests} requests of callers in two organizations: every answer is the asking caller's own, and none is an error`, async () => {
    const started = performance.now();
    await Promise.all(
      Array.from({ length: callersAtOnce }, async () => {
        while (sent < requests) await pick(deeds)(pick(callers));
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    const [pool] = (
      await bouncer.command<{ database: string; total_xact_count: string }>('SHOW STATS')
    ).filter((row) => `/${row.database}` === new URL(database.url).pathname);
    const servers = (await bouncer.command<{ database: string }>('SHOW SERVERS')).filter(
      (row) => `/${row.database}` === new URL(database.url).pathname,
    );
    console.info(
      `${sent} in ${seconds.toFixed(1)} s; ${pool?.total_xact_count} transactions in ${servers.length} sessions`,
    );
    expect(servers.length).toBeLessThanOrEqual(4);
    // Look-ups of one moment share a transaction.
    expect(Number(pool?.total_xact_count)).toBeGreaterThan(sent / 4);
    for (const { email, made } of callers) {
      const stored = await app.db.query<{ id: string }>(
        'select id from certifications where external_source = $1',
        [email],
      );
      expect(new Set(stored.map(({ id }) => id))).toStrictEqual(new Set(made));
    }
  }, 300_000);

  test('a stream of changes hears through the direct connection what was written through the pooler', async () => {
    const [caller] = callers as [Caller];
    const token = await app.token(caller.email);
    const query = `subscription { changes(organizationId: "${caller.organizationId}") { nodes { resourceId } } }`;
    const stream = await openStream(servers[0]?.base ?? '', token, { query });
    await stream.next();
    const wrote = performance.now();
    const { body } = await ask(caller, 'POST', '/v1/certifications', newRecord(caller));
    const news = await stream.next();
    stream.stop();
    expect(news?.data?.data.changes.nodes[0].resourceId).toBe(body.data.id);
    expect(performance.now() - wrote).toBeLessThan(3000);
  });
});
