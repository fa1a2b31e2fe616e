/** What METRICS_PORT serves, and that the dashboard of Grafana and it fit together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../src/rest/routes.js';
import { packageRoot } from '../../src/root.js';
import { send } from '../support/app.js';
import { ensure, fail } from '../support/expect.js';
import { freePort, runLanyard } from '../support/server.js';
import { untilEnd } from '../support/until-end.js';
import { startObserved } from './server.js';
import { drive, follow } from './traffic.js';

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] =
        /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? fail(line);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
        ([, key = '', text = '']) => [key, text],
      );
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });

const port = await freePort();
const limit = 60;
const server = untilEnd(
  await startObserved({ METRICS_PORT: String(port), RATE_LIMIT_PER_MINUTE: String(limit) }),
);
const scrape = () => fetch(`http://127.0.0.1:${port}/metrics`);
const { planted } = await drive(server.base, server.token);
afterAll(await follow(server.base, server.token));
let refused = 0;
for (let asked = 0; refused === 0 && asked <= limit; asked++)
  if ((await send(server.base, 'GET', '/v1/me', { token: server.token })).status === 429) refused++;
// Asked twice: what is told since the last reading has something to tell of.
await scrape();
const text = await (await scrape()).text();
const samples = samplesOf(text);
const sumOf = (name: string, labels: Record<string, string> = {}): number =>
  samples
    .filter(
      (each) =>
        each.name === name &&
        Object.entries(labels).every(([key, value]) => each.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);

describe('METRICS_PORT', () => {
  test('counts what happened', () => {
    const route = '/v1/organizations/{organization_id}/certifications';
    const created = {
      http_route: route,
      http_request_method: 'POST',
      http_response_status_code: '201',
    };
    expect(sumOf('http_server_request_duration_count', created)).toBe(2);
    expect(sumOf('lanyard_idempotency_replays_total')).toBe(1);
    expect(sumOf('lanyard_graphql_cost_refusals_total')).toBe(1);
    expect(sumOf('lanyard_rate_limit_refusals_total')).toBe(1);
    expect(sumOf('lanyard_streams_open')).toBe(1);
    expect(
      sumOf('lanyard_request_statements_sum', {
        http_route: '/v1/organizations/{organization_id}/organization-members',
      }),
    ).toBe(2);
    expect(sumOf('lanyard_graphql_operation_duration_count', { error_type: 'forbidden' })).toBe(1);
    expect(
      sumOf('lanyard_graphql_batch_size_sum', {
        lanyard_graphql_field: 'OrganizationMember.certifications',
      }),
    ).toBe(5);
    expect(sumOf('db_client_connection_max', { db_client_connection_pool_name: 'primary' })).toBe(
      10,
    );
    expect(sumOf('db_client_connection_count')).toBeGreaterThanOrEqual(1);
    expect(sumOf('process_memory_usage')).toBeGreaterThan(5e7);
  });

  test('has no value of a request in it', () => {
    for (const value of planted) ensure(!text.includes(value), value);
  });

  test('has no more series than there are routes and operations, whatever callers name', async () => {
    const before = samples.length;
    for (let number = 0; number < 20; number++) {
      await send(server.base, 'GET', `/nowhere/${number}`, {});
      await send(server.base, 'POST', '/graphql', {
        token: server.token,
        body: { query: `query Mine${number} { __typename }` },
      });
    }
    const now = samplesOf(await (await scrape()).text());
    ensure(now.length - before < 40, `${now.length - before} more`);
    const known = new Set<string | undefined>(routes.map(({ operation }) => operation));
    const named = new Set(
      now.map(({ labels }) => labels.graphql_operation_name).filter((name) => name !== undefined),
    );
    expect([...named].filter((name) => !known.has(name))).toEqual(['_OTHER']);
  });

  test('serves /metrics to GET and nothing else, and the public port does not have it', async () => {
    const at = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method }).then(({ status }) => status);
    expect((await scrape()).headers.get('content-type') ?? '').toMatch(/^text\/plain/);
    expect(await at('/metrics', 'HEAD')).toBe(200);
    expect([
      await at('/'),
      await at('/v1/me'),
      await at('/metrics/'),
      await at('/metrics', 'POST'),
    ]).toEqual([404, 404, 404, 404]);
    expect((await fetch(`${server.base}/metrics`)).status).toBe(404);
  });

  test('stops the start when it is taken', async () => {
    const environment = {
      DATABASE_URL: server.url,
      PORT: String(await freePort()),
      METRICS_PORT: String(port),
    };
    const second = runLanyard(['serve'], environment);
    expect(await second.ended).toBe(1);
    expect(second.output.stderr).toMatch(
      /^Port \d+ is taken on 127\.0\.0\.1: .* METRICS_PORT=\d+\.$/m,
    );
  });
});

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels, templating } = JSON.parse(
  readFileSync(join(packageRoot, 'deploy/grafana/lanyard.json'), 'utf8'),
) as {
  panels: Panel[];
  templating: { list: { name: string; definition?: string }[] };
};
const charts = panels.filter(({ type }) => type !== 'row');
/**
 * The series that an expression selects: a metric's name, and what its labels must be. Grafana's
 * and Prometheus's own labels are theirs.
 */
const selectorsOf = (expression: string) =>
  [...expression.matchAll(/([a-z]\w*)\{([^}]*)\}/g)].map(([, name = '', labels = '']) => ({
    name,
    matchers: [...labels.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)]
      .map(([, label = '', operator = '', value = '']) => ({ label, operator, value }))
      .filter(({ label }) => label !== 'instance'),
  }));
const matches = (
  { labels }: Sample,
  { label, operator, value }: { label: string; operator: string; value: string },
): boolean => {
  const own = labels[label] ?? '';
  return operator === '=~'
    ? new RegExp(`^(?:${value})$`).test(own)
    : operator === '='
      ? own === value
      : own !== value;
};

describe('the dashboard', () => {
  for (const { title, targets = [] } of charts)
    test(`has data for “${title}”`, () => {
      expect(targets.length).toBeGreaterThan(0);
      for (const { expr, legendFormat } of targets) {
        const selectors = selectorsOf(expr);
        ensure(selectors.length > 0, expr);
        for (const { name, matchers } of selectors) {
          const found = samples.filter(
            (sample) =>
              sample.name === name && matchers.every((matcher) => matches(sample, matcher)),
          );
          ensure(found.length > 0, `nothing for ${name} in ${expr}`);
          const labels = [
            ...expr.matchAll(/by \(([^)]*)\)/g),
            ...legendFormat.matchAll(/\{\{(\w+)\}\}/g),
          ].flatMap(([, list = '']) => list.split(/,\s*/));
          for (const label of labels.filter((each) => each !== 'instance'))
            ensure(
              found.some((sample) => label in sample.labels),
              `no label ${label} in ${name}`,
            );
        }
      }
    });

  test('shows every metric that is served', () => {
    const shown = new Set(
      charts.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name)),
      ),
    );
    const families = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
    const missing = families.filter(
      (family) => !['', '_bucket', '_sum', '_count'].some((part) => shown.has(family + part)),
    );
    expect(missing).toEqual(['target_info']);
  });

  test('finds its servers by what they say of themselves', () => {
    const { definition = '' } = templating.list.find(({ name }) => name === 'instance') ?? fail();
    const [selector] = selectorsOf(definition);
    expect(
      samples.some(
        (sample) =>
          sample.name === selector?.name &&
          selector.matchers.every((matcher) => matches(sample, matcher)),
      ),
    ).toBe(true);
  });
});
