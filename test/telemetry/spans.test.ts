/** The traces that a collector gets, and what they never have in them. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.js';
import { managerEmail } from '../support/names.js';
import { startCollector, type Tree } from './collector.js';
import { drive, follow, type Kind } from './traffic.js';

const collector = await startCollector();
// Exporters read it from the process.
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=crew',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
};
Object.assign(process.env, settings);
after(() => {
  for (const name of Object.keys(settings)) delete process.env[name];
});
const app = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRIC_EXPORT_INTERVAL: '500' });
const token = await app.token(managerEmail);
const { sent, planted } = await drive(app.base, token);
const stopStream = await follow(app.base, token);
await app.db.query('alter table job_roles rename to job_roles_gone');
const broken = `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`;
await app.rest('GET', '/v1/organizations/99d9f933-7eab-5f78-ae22-34b5f43c34ba/job-roles', { token, headers: { traceparent: broken } });
await app.db.query('alter table job_roles_gone rename to job_roles');
stopStream();

const traceOf = (kind: Kind): Promise<Tree> => collector.trace(sent[kind].traceId);
/** A line for each span: its kind and name, two blanks deeper than what it is part of. */
const linesOf = ({ span, below }: Tree, depth = 0): string[] => [
  `${'  '.repeat(depth)}${span.kind} ${span.name}`,
  ...below.flatMap((each) => linesOf(each, depth + 1)),
];
const caller = '  CLIENT SELECT organization_members organizations app_approvals grants users apps';
const spansOf = ({ span, below }: Tree): Tree['span'][] => [span, ...below.flatMap(spansOf)];

describe('A trace', () => {
  test('goes on from that of the caller, and has the route, the operation and its statements', async () => {
    const tree = await traceOf('list');
    const route = '/v1/organizations/{organization_id}/organization-members';
    assert.equal(tree.span.parentSpanId, sent.list.parentId);
    assert.deepEqual(linesOf(tree), [
      `SERVER GET ${route}`,
      caller,
      '  INTERNAL query ListOrganizationMembers',
      '    CLIENT SELECT organization_members',
    ]);
    assert.deepEqual(tree.span.attributes, { 'http.request.method': 'GET', 'http.route': route, 'http.response.status_code': 200 });
    const [, operation] = tree.below;
    assert.deepEqual(operation?.span.attributes, {
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'ListOrganizationMembers',
    });
    assert.deepEqual(operation?.below[0]?.span.attributes, {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': 'SELECT organization_members',
    });
  });

  test('of a GraphQL query has a span for each batch, with its parents and its statement', async () => {
    const tree = await traceOf('dashboard');
    assert.equal(linesOf(tree)[0], 'SERVER POST /graphql');
    // Anybody may choose a name: it is an attribute, and no name of a span.
    const [operation] = tree.below.slice(-1);
    assert.deepEqual([operation?.span.name, operation?.span.attributes['graphql.operation.name']], ['query', 'Crew']);
    const batches = operation?.below.filter(({ span }) => span.name.startsWith('batch '));
    assert.deepEqual(
      batches?.flatMap((batch) => linesOf(batch)),
      [
        'INTERNAL batch Organization.members',
        '  CLIENT SELECT organization_members',
        'INTERNAL batch OrganizationMember.certifications',
        '  CLIENT SELECT certifications certification_types',
      ],
    );
    assert.deepEqual(
      batches?.map(({ span }) => span.attributes['lanyard.graphql.batch.size']),
      [1, 5],
    );
  });

  test('of a mutation has the statements of its transaction', async () => {
    const tree = await traceOf('create');
    const [request, operation, required, claim, ...more] = linesOf(tree);
    assert.deepEqual(
      [request, operation, required, claim],
      [
        'SERVER POST /v1/organizations/{organization_id}/certifications',
        '  INTERNAL mutation CreateCertification',
        `  ${caller}`,
        '    CLIENT INSERT idempotency_records',
      ],
    );
    assert.ok(more.every((line) => line.startsWith('    CLIENT ')));
    assert.ok(more.some((line) => /INSERT .*certifications.* audit_events/.test(line)));
    assert.equal(more.at(-1), '    CLIENT UPDATE idempotency_records');
  });

  test('of what a client does wrong names the error, and is no failure', async () => {
    for (const [kind, type] of [
      ['refused', 'forbidden'],
      ['taken', '23505'],
    ] as const) {
      const spans = spansOf(await traceOf(kind));
      assert.ok(
        spans.some(({ attributes }) => attributes['error.type'] === type),
        kind,
      );
      assert.ok(spans.every(({ isError }) => !isError));
    }
  });

  test('of a failure is one, from the statement to the request, without its message', async () => {
    const spans = spansOf(await collector.trace('b'.repeat(32)));
    assert.deepEqual(
      spans.filter(({ isError }) => isError).map(({ kind, attributes }) => [kind, attributes['error.type']]),
      [
        ['SERVER', '500'],
        ['INTERNAL', '42P01'],
        ['CLIENT', '42P01'],
      ],
    );
    for (const { message, events } of spans) assert.deepEqual([message || undefined, events], [undefined, []]);
  });

  test('of a path that nothing serves has no route', async () => {
    const { span } = await traceOf('missing');
    assert.deepEqual([span.name, span.attributes], ['GET', { 'http.request.method': 'GET', 'http.response.status_code': 404 }]);
  });

  test('is found from the log line of its request', () => {
    for (const { response, traceId } of Object.values(sent)) {
      const line = app.log.find(
        (each) => 'requestId' in each && each.requestId === response.headers.get('x-request-id') && 'status' in each,
      );
      assert.partialDeepStrictEqual(line, { trace_id: traceId });
    }
  });
});

describe('What is exported', () => {
  test('has no value of a request and no secret in it', async () => {
    await traceOf('anonymous');
    assert.ok(collector.raw.length > 1 && collector.spans.length > 30);
    for (const { text } of collector.raw) for (const value of planted) assert.ok(!text.includes(value), value);
  });

  test('says who tells it, as the environment has it', () => {
    const { 'service.instance.id': instance, 'host.name': host, 'service.version': version, ...rest } = collector.resource;
    assert.ok(instance && host && version);
    assert.deepEqual(rest, { 'service.name': 'lanyard', 'deployment.environment.name': 'test' });
    for (const { headers } of collector.raw) assert.equal(headers['x-tenant'], 'crew');
  });

  test('are metrics, too', () => {
    for (const name of ['http.server.request.duration', 'db.client.operation.duration', 'lanyard.streams.open'])
      assert.ok(collector.metrics.has(name), name);
  });

  test('has no statement outside of a request or an operation', () =>
    assert.deepEqual(
      collector.spans.filter(({ kind, parentSpanId }) => kind === 'CLIENT' && !parentSpanId),
      [],
    ));
});
