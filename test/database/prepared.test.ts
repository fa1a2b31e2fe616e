/**
 * The number of statements that a session prepares. The limit holds for a process, so a thread
 * reaches it here: no later test of this process could prepare a statement.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { Prepared } from './prepared.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

test('a statement with values is prepared once per session, and at most 500 are', async () => {
  const thread = new Worker(new URL('./prepared.js', import.meta.url), {
    workerData: database.url,
  });
  const ended = once(thread, 'exit');
  const [{ named, many, wrong }] = (await once(thread, 'message')) as [Prepared];
  expect(wrong).toBe(0);
  expect(named).toBe(1);
  expect(many).toBeGreaterThan(400);
  expect(many).toBeLessThanOrEqual(500);
  await ended;
});
