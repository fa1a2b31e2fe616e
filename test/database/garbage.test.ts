/** Writes that went in groups, as garbage. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupCommitByOrganization } from '../../src/database/group-commit/group-commit.js';
import type { Connecting } from '../../src/database/pool.js';
import type { Client } from '../../src/database/wire/client.js';
import { ensure } from '../support/expect.js';
import { collect } from '../support/garbage.js';

const send = async (all: Parameters<Client['send']>[0]) => {
  await nextTurn();
  return all.map(() => [{}]);
};
const pool = { connect: async () => ({ send, release: () => {} }) } as unknown as Connecting;
const groups = new GroupCommitByOrganization(() => pool);

async function write(index: number): Promise<void> {
  const values = Array.from({ length: 1000 }, (_, position) => ({ position }));
  const write = {
    ahead: [],
    undo: [],
    write: ['', values] as const,
    clock: `organization ${index}`,
    groupText: '',
    isWhole: true,
  };
  await groups.join(write).results.promise;
}

/**
 * Several callers write at any moment. @returns Bytes that the heap has grown by, once they are
 * done and the young generation is collected.
 */
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

// A map that changes all the time gets new tables; an old table that has become old leads to the
// next one, and so to everything after it.
test('a write is garbage for the young generation', async () => {
  await growth(400);
  // So that no collection of its own falls into what is measured.
  collect({ type: 'major' });
  const bytes = await growth(1000);
  ensure(bytes < 3_000_000, `${bytes} bytes are left of 1000 writes`);
});
