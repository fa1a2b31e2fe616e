/**
 * Loaded in each worker. A test file of test/ is loaded as compiled in dist/test/, stack traces
 * name the sources, and loading a file has a time limit.
 */
import { registerHooks } from 'node:module';
import config from '../../jest.config.js';

const tests = new URL('../', import.meta.url).href;
const compiled = new URL('../../dist/test/', import.meta.url).href;
const isWorker = process.send !== undefined;
let watchdog;

/** The file that is being loaded runs its first test or hook. */
export const hasLoaded = () => clearTimeout(watchdog);

registerHooks({
  resolve(specifier, context, next) {
    const [, file] =
      (specifier.startsWith(tests) && /^(.+\.test)\.ts(?=$|\?)/.exec(specifier)) || [];
    if (!file) return next(specifier, context);
    // The end of the process fails the file, and Jest goes on with the others.
    if (isWorker) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        process.stderr.write(`${file}.ts still loads after ${config.testTimeout} ms.\n`);
        process.exit(1);
      }, config.testTimeout).unref();
    }
    return next(specifier.replace(`${file}.ts`, `${file.replace(tests, compiled)}.js`), context);
  },
});
process.setSourceMapsEnabled(true);
