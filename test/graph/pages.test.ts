/** Pages of lists as garbage. */
import 'reflect-metadata';
import { toConnection } from '../../src/graph/reads/connection.js';
import { ensure } from '../support/expect.js';
import { collect } from '../support/garbage.js';

/**
 * Bytes that the heap has grown by, once 200 pages of 200 rows are read and dropped and the young
 * generation is collected.
 */
function growth(): number {
  collect({ type: 'minor' });
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < 200; index++) {
    const rows = Array.from({ length: 201 }, (_, row) => ({
      id: `${index} ${row}`,
      updatedAt: String(row),
    }));
    const { pageInfo } = toConnection(
      () => ['list', index],
      { first: 200 },
      rows,
      (row) => row,
    );
    expect(pageInfo.hasNextPage).toBe(true);
  }
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  return process.memoryUsage().heapUsed - before;
}

// Accessors of an object literal lie among old objects, and keep the rows that they lead to until a
// full collection.
test('the rows of a page are garbage for the young generation', () => {
  growth();
  const bytes = growth();
  ensure(bytes < 1_000_000, `${bytes} bytes are left of 200 pages`);
});
