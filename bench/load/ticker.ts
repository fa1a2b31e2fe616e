/**
 * A thread that tells its parent when the next request is due: waiting for a word of memory ends on
 * time, where a timer of Node is due to the millisecond.
 */
import { parentPort } from 'node:worker_threads';
import type { Ticks } from './protocol.js';

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
parentPort?.on('message', ({ started, interval, count }: Ticks) => {
  for (let tick = 1; tick <= count; tick++) {
    const left = started + tick * interval - Number(process.hrtime.bigint()) / 1e6;
    if (left > 0) Atomics.wait(never, 0, 0, left);
    parentPort?.postMessage(count - tick);
  }
});
