/** The traces that a collector gets, and what they never have in them. */
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { managerEmail } from '../support/names.js';
import { untilEnd } from '../support/until-end.js';
import { startCollector, type Tree } from './collector.js';
import { drive, follow, type Kind } from './traffic.js';

const collector = untilEnd(await startCollector());
// Exporters read it from the process.
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=crew',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
};
Object.assign(process.env, settings);
afterAll(() => {
  for (const name of Object.keys(settings)) delete process.env[name];
});
const app = await startApp({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_METRIC_EXPORT_INTERVAL: '500',
});
const token = await app.token(managerEmail);
const { sent, planted } = await drive(app.base, token);
const stopStream = await follow(app.base, token);
await app.db.query('alter table job_roles rename to job_roles_gone');
const broken = `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`;
await app.rest('GET', '/v1/organizations/99d9f933-7eab-5f78-ae22-34b5f43c34ba/job-roles', {
  token,
  headers: { traceparent: broken },
});
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
    expect(tree.span.parentSpanId).toBe(sent.list.parentId);
    expect(linesOf(tree)).toStrictEqual([
      `SERVER GET ${route}`,
      caller,
      '  INTERNAL query ListOrganizationMembers',
      '    CLIENT SELECT organization_members',
    ]);
    expect(tree.span.attributes).toStrictEqual({
      'http.request.method': 'GET',
      'http.route': route,
      'http.response.status_code': 200,
    });
    const [, operation] = tree.below;
    expect(operation?.span.attributes).toStrictEqual({
      'graphql.operation.type': 'query',
      'graphql.operation.name': 'ListOrganizationMembers',
    });
    expect(operation?.below[0]?.span.attributes).toStrictEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': 'SELECT organization_members',
    });
  });

  test('of a GraphQL query has a span for each batch, with its parents and its statement', async () => {
    const tree = await traceOf('dashboard');
    expect(linesOf(tree)[0]).toBe('SERVER POST /graphql');
    // Anybody may choose a name: it is an attribute, and no name of a span.
    const [operation] = tree.below.slice(-1);
    expect([operation?.span.name, operation?.span.attributes['graphql.operation.name']]).toEqual([
      'query',
      'Crew',
    ]);
    const batches = operation?.below.filter(({ span }) => span.name.startsWith('batch '));
    expect(batches?.flatMap((batch) => linesOf(batch))).toEqual([
      'INTERNAL batch Organization.members',
      '  CLIENT SELECT organization_members',
      'INTERNAL batch OrganizationMember.certifications',
      '  CLIENT SELECT certifications certification_types',
    ]);
    expect(batches?.map(({ span }) => span.attributes['lanyard.graphql.batch.size'])).toEqual([
      1, 5,
    ]);
  });

  test('of a mutation has the statements of its transaction', async () => {
    const tree = await traceOf('create');
    const [request, operation, lookUp, stored, claim, ...more] = linesOf(tree);
    expect([request, operation, lookUp, stored, claim]).toStrictEqual([
      'SERVER POST /v1/organizations/{organization_id}/certifications',
      '  INTERNAL mutation CreateCertification',
      `  ${caller}`,
      '    CLIENT SELECT idempotency_records',
      '    CLIENT INSERT idempotency_records',
    ]);
    expect(more.every((line) => line.startsWith('    CLIENT '))).toBe(true);
    expect(more.some((line) => /INSERT .*certifications.* audit_events/.test(line))).toBe(true);
    expect(more.at(-1)).toBe('    CLIENT UPDATE idempotency_records');
  });

  test('of what a client does wrong names the error, and is no failure', async () => {
    for (const [kind, type] of [
      ['refused', 'forbidden'],
      ['taken', '23505'],
    ] as const) {
      const spans = spansOf(await traceOf(kind));
      ensure(
        spans.some(({ attributes }) => attributes['error.type'] === type),
        kind,
      );
      expect(spans.every(({ isError }) => !isError)).toBe(true);
    }
  });

  test('of a failure is one, from the statement to the request, without its message', async () => {
    const spans = spansOf(await collector.trace('b'.repeat(32)));
    expect(
      spans
        .filter(({ isError }) => isError)
        .map(({ kind, attributes }) => [kind, attributes['error.type']]),
    ).toEqual([
      ['SERVER', '500'],
      ['INTERNAL', '42P01'],
      ['CLIENT', '42P01'],
    ]);
    for (const { message, events } of spans)
      expect([message || undefined, events]).toStrictEqual([undefined, []]);
  });

  test('of a path that nothing serves has no route', async () => {
    const { span } = await traceOf('missing');
    expect([span.name, span.attributes]).toStrictEqual([
      'GET',
      { 'http.request.method': 'GET', 'http.response.status_code': 404 },
    ]);
  });

  test('is found from the log line of its request', () => {
    for (const { response, traceId } of Object.values(sent)) {
      const line = app.log.find(
        (each) =>
          'requestId' in each &&
          each.requestId === response.headers.get('x-request-id') &&
          'status' in each,
      );
      expect(line).toMatchObject({ trace_id: traceId });
    }
  });
});

describe('What is exported', () => {
  test('has no value of a request and no secret in it', async () => {
    await traceOf('anonymous');
    expect(collector.raw.length).toBeGreaterThan(1);
    expect(collector.spans.length).toBeGreaterThan(30);
    for (const { text } of collector.raw)
      for (const value of planted) ensure(!text.includes(value), value);
  });

  test('says who tells it, as the environment has it', () => {
    const {
      'service.instance.id': instance,
      'host.name': host,
      'service.version': version,
      ...rest
    } = collector.resource;
    expect(instance && host && version).toBeTruthy();
    expect(rest).toStrictEqual({
      'service.name': 'lanyard',
      'deployment.environment.name': 'test',
    });
    for (const { headers } of collector.raw) expect(headers['x-tenant']).toBe('crew');
  });

  test('are metrics, too', () => {
    for (const name of [
      'http.server.request.duration',
      'db.client.operation.duration',
      'lanyard.streams.open',
    ])
      ensure(collector.metrics.has(name), name);
  });

  test('has no statement outside of a request or an operation', () =>
    expect(
      collector.spans.filter(({ kind, parentSpanId }) => kind === 'CLIENT' && !parentSpanId),
    ).toEqual([]));
});
