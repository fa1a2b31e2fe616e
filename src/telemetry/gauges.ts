/**
 * Gauges that are observed when metrics are collected: connections, streams, the event loop,
 * memory.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import type { Connections } from '../database/pool.js';

export interface Looked {
  /** By pool name. */
  readonly connections: () => Readonly<Record<string, Connections>>;
  /** Number of open change streams. */
  readonly streams: () => number;
}

/** @returns A function that ends the observation. */
export function watch(meter: Meter, looked: Looked): () => void {
  watchConnections(meter, looked);
  meter
    .createObservableUpDownCounter('lanyard.streams.open', {
      description: 'Streams of changes that are open',
    })
    .addCallback((result) => result.observe(looked.streams()));
  watchMemory(meter);
  return watchEventLoop(meter);
}

function watchConnections(meter: Meter, { connections }: Looked): void {
  const count = meter.createObservableUpDownCounter('db.client.connection.count', {
    description: 'Connections to PostgreSQL, by state',
  });
  const max = meter.createObservableUpDownCounter('db.client.connection.max', {
    description: 'DATABASE_POOL_SIZE',
  });
  const pending = meter.createObservableUpDownCounter('db.client.connection.pending_requests', {
    description: 'Who waits for a connection',
  });
  meter.addBatchObservableCallback(
    (result) => {
      for (const [name, { used, idle, waiting, most }] of Object.entries(connections())) {
        const pool = { 'db.client.connection.pool.name': name };
        result.observe(count, used, { ...pool, 'db.client.connection.state': 'used' });
        result.observe(count, idle, { ...pool, 'db.client.connection.state': 'idle' });
        result.observe(pending, waiting, pool);
        result.observe(max, most, pool);
      }
    },
    [count, max, pending],
  );
}

function watchMemory(meter: Meter): void {
  const resident = meter.createObservableUpDownCounter('process.memory.usage', {
    unit: 'By',
    description: 'Resident memory',
  });
  const heap = meter.createObservableUpDownCounter('v8js.memory.heap.used', {
    unit: 'By',
    description: 'Objects on the heap',
  });
  meter.addBatchObservableCallback(
    (result) => {
      const { rss, heapUsed } = process.memoryUsage();
      result.observe(resident, rss);
      result.observe(heap, heapUsed);
    },
    [resident, heap],
  );
}

const nanoseconds = 1e9;

/** Each observation covers the time since the previous one, by any reader. */
function watchEventLoop(meter: Meter): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const gauge = (name: string, description: string, unit = 's') =>
    meter.createObservableGauge(`nodejs.eventloop.${name}`, { unit, description });
  const p50 = gauge('delay.p50', 'Half of the delays are shorter');
  const p99 = gauge('delay.p99', 'One delay in a hundred is longer');
  const max = gauge('delay.max', 'The longest delay');
  const utilization = gauge('utilization', 'The part of the time that it was busy', '1');
  let before = performance.eventLoopUtilization();
  meter.addBatchObservableCallback(
    (result) => {
      const now = performance.eventLoopUtilization();
      result.observe(utilization, performance.eventLoopUtilization(now, before).utilization);
      before = now;
      if (delays.count === 0) return;
      result.observe(p50, delays.percentile(50) / nanoseconds);
      result.observe(p99, delays.percentile(99) / nanoseconds);
      result.observe(max, delays.max / nanoseconds);
      delays.reset();
    },
    [p50, p99, max, utilization],
  );
  return () => delays.disable();
}
