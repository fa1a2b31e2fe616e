/** An OpenTelemetry collector as small as it can be: it takes OTLP in JSON, and keeps it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ensure, fail } from '../support/expect.js';

type Value = string | number | boolean;

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** `INTERNAL`, `SERVER` or `CLIENT`. */
  readonly kind: string;
  readonly isError: boolean;
  readonly message: string | undefined;
  readonly events: readonly unknown[];
  readonly attributes: Readonly<Record<string, Value>>;
}

/** A span without its ids: name, attributes and what it has below it, in the order of time. */
export interface Tree {
  readonly span: CollectedSpan;
  readonly below: readonly Tree[];
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** All that came, as it came. */
  readonly raw: {
    readonly path: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly text: string;
  }[];
  readonly spans: CollectedSpan[];
  readonly resource: Readonly<Record<string, Value>>;
  /** Names of the metrics that came. */
  readonly metrics: ReadonlySet<string>;
  /** Waits for the span of an answered request, and gives its trace. */
  trace(traceId: string): Promise<Tree>;
}

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly boolValue?: boolean;
    readonly doubleValue?: number;
  };
}

const valuesOf = (attributes: readonly Attribute[]): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue, doubleValue } }) => [
      key,
      stringValue ??
        (intValue === undefined ? undefined : Number(intValue)) ??
        boolValue ??
        doubleValue ??
        fail(key),
    ]),
  );

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const failed = 2;

/** More than the time for which spans gather before they are sent. */
const patience = 15_000;

export async function startCollector(): Promise<Collector> {
  const raw: Collector['raw'] = [];
  const spans: (CollectedSpan & { readonly start: bigint })[] = [];
  const metrics = new Set<string>();
  let resource: Record<string, Value> = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    raw.push({ path: request.url ?? '', headers: request.headers, text });
    const body = JSON.parse(text);
    for (const group of [...(body.resourceSpans ?? []), ...(body.resourceMetrics ?? [])])
      resource = valuesOf(group.resource.attributes);
    for (const { scopeMetrics } of body.resourceMetrics ?? [])
      for (const scope of scopeMetrics) for (const { name } of scope.metrics) metrics.add(name);
    for (const { scopeSpans } of body.resourceSpans ?? [])
      for (const scope of scopeSpans)
        for (const span of scope.spans)
          spans.push({
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId || undefined,
            name: span.name,
            kind: kinds[span.kind] ?? '',
            isError: span.status?.code === failed,
            message: span.status?.message,
            events: span.events ?? [],
            attributes: valuesOf(span.attributes),
            start: BigInt(span.startTimeUnixNano),
          });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  const below = (traceId: string, parent: string): Tree[] =>
    spans
      .filter((span) => span.traceId === traceId && span.parentSpanId === parent)
      .sort((one, next) => Number(one.start - next.start))
      .map((span) => ({ span, below: below(traceId, span.spanId) }));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
    raw,
    spans,
    metrics,
    get resource() {
      return resource;
    },
    async trace(traceId) {
      const deadline = performance.now() + patience;
      for (;;) {
        const span = spans.find((each) => each.traceId === traceId && each.kind === 'SERVER');
        if (span) return { span, below: below(traceId, span.spanId) };
        ensure(performance.now() < deadline, `no span of trace ${traceId} came`);
        await delay(20);
      }
    },
  };
}
