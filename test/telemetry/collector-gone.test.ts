/**
 * A collector that is away, hangs or refuses costs no request anything, and holds no stop for
 * longer than one export may take.
 */
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { send } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { freePort } from '../support/server.js';
import { startCollector } from './collector.js';
import { type ObservedServer, startObserved } from './server.js';

/** Milliseconds for all else that a stop has to end; a machine that is busy takes most of it. */
const otherwise = 4000;

async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const servers: HttpServer[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const hanging = () => answering(() => {});
const refusing = () =>
  answering((_, response) => response.writeHead(503, { 'retry-after': '60' }).end());

const observed = (url: string) =>
  startObserved({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    LOG_LEVEL: 'info',
  });
const ask = (server: ObservedServer) =>
  send(server.base, 'GET', '/v1/organizations', { token: server.token });

for (const [what, urlOf] of [
  ['is away', async () => `http://127.0.0.1:${await freePort()}`],
  ['hangs', hanging],
  ['refuses', refusing],
] as const)
  test(`a collector that ${what}`, async () => {
    await using server = await observed(await urlOf());
    const statuses = new Set<number>();
    // More spans than are kept for it.
    for (let round = 0; round < 25; round++)
      for (const { status } of await Promise.all(Array.from({ length: 25 }, () => ask(server))))
        statuses.add(status);
    expect([...statuses]).toEqual([200]);
    // The last line may still be on its way.
    const lines = () => server.output.stdout.split('\n').slice(0, -1);
    const failures = () =>
      lines().flatMap((line) => (JSON.parse(line).level !== 'info' ? [JSON.parse(line).msg] : []));
    for (
      const deadline = performance.now() + 15_000;
      failures().length === 0 && performance.now() < deadline;
    )
      await delay(50);
    const { code, milliseconds } = await server.stop();
    console.info(`stopped in ${milliseconds.toFixed(0)} ms`);
    expect(code).toBe(0);
    ensure(milliseconds < 2000 + otherwise, `the stop took ${milliseconds} ms`);
    // Said once, and nothing else went wrong.
    expect(failures()).toEqual(['telemetry could not be exported']);
  });

describe('a stop', () => {
  test('sends the spans of the last requests', async () => {
    await using collector = await startCollector();
    await using server = await observed(collector.url);
    const traceId = 'd'.repeat(32);
    await send(server.base, 'GET', '/v1/me', {
      token: server.token,
      headers: { traceparent: `00-${traceId}-${'e'.repeat(16)}-01` },
    });
    expect((await server.stop()).code).toBe(0);
    expect(collector.spans.some((span) => span.traceId === traceId && span.kind === 'SERVER')).toBe(
      true,
    );
  });
});
