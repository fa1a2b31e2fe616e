/** OpenTelemetry's variables, from a `.env` file too. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, readConfig, readEnvFile } from '../../src/config.js';
import { send } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { satisfying } from '../support/expect.js';
import { freePort, runLanyard } from '../support/server.js';
import { startCollector } from './collector.js';

describe('a .env file', () => {
  test('may have what OpenTelemetry reads itself, and nothing that it does not', () => {
    for (const name of [
      'OTEL_SERVICE_NAME',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      'OTEL_TRACES_SAMPLER',
    ])
      expect(readEnvFile(`${name}=x`)[name]).toBe('x');
    for (const name of [
      'OTEL_SERVICE_NAMES',
      'OTEL_EXPORTER_OTLP_ENDPOINTS',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'XOTEL_SERVICE_NAME',
    ])
      expect(() => readEnvFile(`${name}=x`)).toThrow(new RegExp(`${name} is unknown`));
  });

  test('reaches the exporters and the sampler', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanyard-otel-'));
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => rmSync(folder, { recursive: true }));
    const collector = cleanup.use(await startCollector());
    const [database, port] = [await createDatabase(), await freePort()];
    cleanup.defer(() => database.drop());
    const settings = {
      DATABASE_URL: database.url,
      PORT: port,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=crew',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
    writeFileSync(join(folder, '.env'), lines.join('\n'));
    const server = runLanyard(['serve'], {}, folder);
    const base = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${base}/readyz`).catch(() => undefined))?.ok) {
      expect([server.output.stderr, server.child.exitCode]).toStrictEqual([
        server.output.stderr,
        null,
      ]);
      await delay(50);
    }
    const traceId = 'a'.repeat(32);
    await send(base, 'GET', '/livez', {
      headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` },
    });
    server.child.kill('SIGTERM');
    expect([server.output.stderr, await server.ended]).toStrictEqual([server.output.stderr, 0]);
    // The trace that its caller keeps, and none of those that it does not.
    expect(collector.spans.map((span) => span.traceId)).toStrictEqual([traceId]);
    expect([...collector.metrics]).toEqual([]);
    expect([collector.resource['service.name'], collector.raw[0]?.headers['x-tenant']]).toEqual([
      'gate',
      'crew',
    ]);
  });
});

test('a sampler, an endpoint or a port that there is not stops the start', () => {
  for (const [name, value] of Object.entries({
    OTEL_TRACES_SAMPLER: 'xray',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_METRICS_EXPORTER: 'console',
    METRICS_PORT: '0',
  }))
    expect(() => readConfig({ [name]: value })).toThrow(
      satisfying((error) => error instanceof ConfigError && error.message.includes(name)),
    );
});
