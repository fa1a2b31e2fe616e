/**
 * OpenTelemetry: traces and metrics to a collector, metrics for Prometheus. Loaded only if one of
 * them is configured.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { setObserver } from '../observer.js';
import { packageRoot } from '../root.js';
import { type Looked, watch } from './gauges.js';
import { createInstruments } from './instruments.js';
import { type Scrape, serveMetrics } from './scrape.js';
import { createObserver } from './tracing.js';

export interface Sources extends Looked {
  /** Names of operations with their own series: those of REST, and trusted documents. */
  readonly operations: readonly string[];
}

export interface Telemetry {
  /** Exports pending data, within the time limit of an export. */
  stop(): Promise<void>;
}

/** @throws when METRICS_PORT is in use. */
export async function startTelemetry(
  config: Config,
  log: Logger,
  sources: Sources,
): Promise<Telemetry> {
  reportFailures(log);
  const scrape =
    config.METRICS_PORT === undefined
      ? undefined
      : await serveMetrics(config.HOST, config.METRICS_PORT);
  const resource = describe();
  const meters = new MeterProvider({ resource, readers: readersOf(config, scrape) });
  const tracers = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? new TracerProvider(tracing(config, resource))
    : undefined;
  if (tracers) context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const meter = meters.getMeter('lanyard');
  const stopWatch = watch(meter, sources);
  setObserver(
    createObserver(
      tracers?.getTracer('lanyard'),
      createInstruments(meter),
      new Set(sources.operations),
    ),
  );
  return {
    async stop() {
      setObserver(undefined);
      context.disable();
      stopWatch();
      scrape?.close();
      await atMost(
        config.OTEL_EXPORTER_OTLP_TIMEOUT,
        Promise.allSettled([tracers?.shutdown(), meters.shutdown()]),
      );
    },
  };
}

/**
 * The resource: environment variables (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) override the
 * defaults.
 */
function describe(): Resource {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const known = {
    'service.name': 'lanyard',
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
  };
  return resourceFromAttributes(known).merge(detectResources({ detectors: [envDetector] }));
}

/**
 * Options of exporters, which read the other OTEL_EXPORTER_OTLP_* variables themselves. Data that
 * cannot be sent in this time is dropped, so that requests to an unavailable collector do not
 * accumulate. The agent's limit includes the time to connect.
 */
const exporting = ({ OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMillis }: Config) => ({
  timeoutMillis,
  httpAgentOptions: { keepAlive: true, timeout: timeoutMillis },
});

function readersOf(config: Config, scrape: Scrape | undefined): IMetricReader[] {
  const { OTEL_METRIC_EXPORT_INTERVAL: exportIntervalMillis } = config;
  const isPushed =
    config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && config.OTEL_METRICS_EXPORTER === 'otlp';
  return [
    ...(isPushed
      ? [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(exporting(config)),
            exportIntervalMillis,
          }),
        ]
      : []),
    ...(scrape ? [scrape.reader] : []),
  ];
}

function tracing(config: Config, resource: Resource) {
  const exporter = new OTLPTraceExporter(exporting(config));
  return {
    resource,
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  };
}

function samplerOf({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio }: Config): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const root = roots[name.replace('parentbased_', '') as keyof typeof roots]();
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Milliseconds in which failed exports are logged once. */
const quiet = 60_000;

function reportFailures(log: Logger): void {
  let last = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((err) => {
    if (performance.now() - last < quiet) return;
    last = performance.now();
    log.warn({ err }, 'telemetry could not be exported');
  });
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const passed = delay(milliseconds, undefined, { signal: limit.signal }).catch(() => {});
  await Promise.race([work, passed]);
  limit.abort();
}
