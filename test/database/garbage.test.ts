/** Writes that went in groups, as garbage. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../src/database/client.js';
import { Member } from '../../src/database/group.js';
import { Groups } from '../../src/database/groups.js';
import type { Pool } from '../../src/database/pool.js';
import { collect } from '../support/garbage.js';

const recordsTogether = async (all: Parameters<Client['recordsTogether']>[0]) => {
  await nextTurn();
  return all.map(() => [{}]);
};
const records = async (_: string, [clocks]: [string[]]) => clocks.map((id) => ({ id }));
const groups = new Groups({ connect: async () => ({ records, recordsTogether, release: () => {} }) } as unknown as Pool);

async function write(index: number): Promise<void> {
  const values = Array.from({ length: 1000 }, (_, position) => ({ position }));
  const sharing = { clock: `organization ${index}`, text: '' };
  const member = new Member({ ahead: [], undo: [], write: ['', values], sharing, isWhole: true });
  groups.join(member);
  await member.answers.promise;
}

/** Several callers write at any moment. @returns Bytes that the heap has grown by, once they are done and the young generation is collected. */
async function growth(writes: number): Promise<number> {
  collect({ type: 'minor' });
  const before = process.memoryUsage().heapUsed;
  let started = 0;
  const caller = async () => {
    while (started++ < writes) {
      await write(started);
      // Often enough that what is kept alive by something old becomes old itself.
      if (started % 50 === 0) collect({ type: 'minor' });
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  await nextTurn();
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return process.memoryUsage().heapUsed - before;
}

// A map that changes all the time gets new tables; an old table that has become old leads to the next one, and so to everything after it.
test('a write is garbage for the young generation', async () => {
  await growth(400);
  // So that no collection of its own falls into what is measured.
  collect({ type: 'major' });
  const bytes = await growth(1000);
  assert.ok(bytes < 3_000_000, `${bytes} bytes are left of 1000 writes`);
});
