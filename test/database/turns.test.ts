/** Fair shares: who gets a turn at once, who waits, who is next, and who is refused. */
import { type Owner, type Shares, sharesOf, Turns } from '../../src/database/turns.js';
import { ApiError } from '../../src/errors.js';

const shares: Shares = {
  all: 4,
  organization: 3,
  caller: 2,
  waiting: { organization: 5, caller: 3 },
};
const owner = (name: string): Owner => ({ organization: name.charAt(0), caller: name });

// Not that of a clock that stands still.
const immediately = setImmediate;

/**
 * Asks for turns in order. @returns The names of those that got theirs, and what ends one of
 * theirs.
 */
function asking(turns: Turns, names: readonly string[]) {
  const started: string[] = [];
  const ends = new Map<string, (() => void)[]>();
  const failed: [name: string, code: string][] = [];
  for (const name of names)
    turns.take(owner(name)).then(
      (leave) => {
        started.push(name);
        ends.set(name, [...(ends.get(name) ?? []), leave]);
      },
      (error: unknown) =>
        failed.push([name, error instanceof ApiError ? error.code : String(error)]),
    );
  const settled = () => new Promise((resolve) => immediately(resolve));
  const end = async (name: string) => {
    ends.get(name)?.shift()?.();
    await settled();
    return started;
  };
  return { started, failed, end, settled };
}

test('a caller has their share, an organization its, and the others what is left', async () => {
  const { started, settled } = asking(new Turns(shares), [
    'a1',
    'a1',
    'a1',
    'a2',
    'a3',
    'b1',
    'b2',
  ]);
  await settled();
  expect(started).toEqual(['a1', 'a1', 'a2', 'b1']);
});

test('organizations take turns, and so do the callers of each, however many of one wait', async () => {
  const { started, end, settled } = asking(new Turns({ ...shares, all: 1 }), [
    'a1',
    'a1',
    'a1',
    'a1',
    'a2',
    'b1',
    'b1',
    'c1',
  ]);
  await settled();
  for (const name of ['a1', 'a1', 'b1', 'c1', 'a2', 'b1', 'a1']) await end(name);
  expect(started).toEqual(['a1', 'a1', 'b1', 'c1', 'a2', 'b1', 'a1', 'a1']);
});

test('whoever may go is not held up by those that wait for their own', async () => {
  const turns = new Turns(shares);
  const { started, end, settled } = asking(turns, ['a1', 'a1', 'a1', 'b1', 'b1', 'b2']);
  await settled();
  expect(started).toEqual(['a1', 'a1', 'b1', 'b1']);
  expect((await end('b1')).slice(4)).toEqual(['b2']);
  expect(turns.waiting).toBe(1);
  expect((await end('a1')).slice(5)).toEqual(['a1']);
  expect(turns.waiting).toBe(0);
});

test('a caller with too much waiting is refused, and then an organization, and nobody else', async () => {
  const turns = new Turns(shares);
  const { failed, started, settled } = asking(turns, [
    ...Array(6).fill('a1'),
    ...Array(6).fill('a2'),
    'b1',
  ]);
  await settled();
  expect(failed).toEqual([
    ['a1', 'rate_limited'],
    ['a2', 'service_unavailable'],
    ['a2', 'service_unavailable'],
    ['a2', 'service_unavailable'],
  ]);
  expect(started).toEqual(['a1', 'a1', 'a2', 'b1']);
});

test('whoever waits for too long is refused, and leaves no trace', async () => {
  jest.useFakeTimers();
  const turns = new Turns(shares);
  const { failed, end, settled, started } = asking(turns, ['a1', 'a1', 'a1']);
  await settled();
  jest.advanceTimersByTime(3000);
  jest.useRealTimers();
  await settled();
  expect([failed, turns.waiting]).toEqual([[['a1', 'service_unavailable']], 0]);
  await end('a1');
  expect(started).toHaveLength(2);
});

describe('of a pool', () => {
  for (const [size, all, organization, caller] of [
    [2, 1, 1, 1],
    [4, 3, 2, 2],
    [10, 8, 5, 4],
    [100, 80, 48, 40],
  ] as const)
    test(`of ${size}: ${all} for requests, ${organization} for an organization, ${caller} for a caller`, () => {
      const found = sharesOf(size);
      expect([found.all, found.organization, found.caller]).toStrictEqual([
        all,
        organization,
        caller,
      ]);
    });
});
