/**
 * Counters and histograms. Names and units follow OpenTelemetry's conventions; others are under
 * `lanyard`.
 */
import type { Meter } from '@opentelemetry/api';
import type { Occurrence } from '../observer.js';

/**
 * Bucket boundaries in seconds: a list takes a few milliseconds, and no request may take longer
 * than about 15 seconds.
 */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const statementSeconds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10];
const statementCounts = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50];
const batchSizes = [1, 2, 5, 10, 20, 50, 100, 250, 1000];

const counters: Readonly<Record<Occurrence, readonly [name: string, description: string]>> = {
  idempotencyReplay: [
    'lanyard.idempotency.replays',
    'Creates that were answered again from what was stored under their key',
  ],
  costRefusal: [
    'lanyard.graphql.cost_refusals',
    'Operations that asked for more than GRAPHQL_COST_LIMIT',
  ],
  rateRefusal: ['lanyard.rate_limit.refusals', 'Requests over RATE_LIMIT_PER_MINUTE'],
  queueRefusal: ['lanyard.queue.refusals', 'Waits for a turn that were too many, or took too long'],
};

export type Instruments = ReturnType<typeof createInstruments>;

export function createInstruments(meter: Meter) {
  const histogram = (
    name: string,
    unit: string,
    description: string,
    explicitBucketBoundaries: number[],
  ) => meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries } });
  const counter = (occurrence: Occurrence) => {
    const [name, description] = counters[occurrence];
    const made = meter.createCounter(name, { description });
    // Initialized with 0, because a rate needs the value before the first occurrence.
    made.add(0);
    return made;
  };
  return {
    request: histogram(
      'http.server.request.duration',
      's',
      'Until the answer has gone out',
      requestSeconds,
    ),
    statements: histogram(
      'lanyard.request.statements',
      '{statement}',
      'Statements of a request',
      statementCounts,
    ),
    operation: histogram(
      'lanyard.graphql.operation.duration',
      's',
      'Of GraphQL operations, those behind REST too',
      requestSeconds,
    ),
    batch: histogram(
      'lanyard.graphql.batch.size',
      '{parent}',
      'Parents whose field is read at once',
      batchSizes,
    ),
    statement: histogram(
      'db.client.operation.duration',
      's',
      'Of statements, with the wait for a connection',
      statementSeconds,
    ),
    occurrences: {
      idempotencyReplay: counter('idempotencyReplay'),
      costRefusal: counter('costRefusal'),
      rateRefusal: counter('rateRefusal'),
      queueRefusal: counter('queueRefusal'),
    },
  };
}
