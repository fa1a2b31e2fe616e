/**
 * Loaded in each worker. jest-light-runner has no time limits, and runs hooks that are added late.
 * Here `testTimeout` and a test's own limit hold, and a test or hook that adds a hook fails, as
 * with Jest's own runner.
 */
import { addEventHandler } from 'jest-circus';
import config from '../../jest.config.js';
import { hasLoaded } from './compiled.js';

const { setTimeout, clearTimeout } = globalThis;
let isRunning = false;

/** @returns The function, rejecting when it takes longer than the limit in milliseconds. */
function limit(run, milliseconds, name) {
  if (run.length > 0) throw new Error(`${name}: use a promise instead of a callback.`);
  return async () => {
    let timer;
    hasLoaded();
    isRunning = true;
    try {
      const late = new Promise((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`${name}: exceeded the limit of ${milliseconds} ms.`)),
          milliseconds,
        );
      });
      return await Promise.race([run(), late]);
    } catch (error) {
      // The report shows the stack alone; fast-check puts the failure in the cause.
      for (let { cause } = error ?? {}; cause instanceof Error; { cause } = cause)
        error.stack += `\nCaused by: ${cause.stack}`;
      throw error;
    } finally {
      clearTimeout(timer);
      isRunning = false;
    }
  };
}

addEventHandler((event, { currentDescribeBlock }) => {
  if (event.name === 'add_hook' && isRunning)
    throw new Error(`${event.hookType}: hooks cannot be added while a test or a hook runs.`);
  const added =
    event.name === 'add_hook'
      ? currentDescribeBlock.hooks.at(-1)
      : event.name === 'add_test'
        ? currentDescribeBlock.children.at(-1)
        : undefined;
  if (added?.fn)
    added.fn = limit(added.fn, added.timeout ?? config.testTimeout, added.name ?? added.type);
});
