import { writeFileSync } from 'node:fs';

/**
 * Prints how many tests passed and failed, as the last line of a run. A file that does not load
 * counts as a failed test; a run without tests fails. `FAILED_FILES` names a file for the paths of
 * the test files that failed.
 */
export default class Count {
  #hasRun = false;

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, testResults },
  ) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    this.#hasRun = numPassedTests + failed > 0;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    if (process.env.FAILED_FILES) {
      const files = testResults.filter((file) => file.numFailingTests > 0 || file.testExecError);
      const paths = files.map(({ testFilePath }) => `${testFilePath}\n`);
      writeFileSync(process.env.FAILED_FILES, paths.join(''));
    }
    // After Jest's own summary.
    process.once('exit', () =>
      process.stderr.write(`\n${numPassedTests} passed, ${failed} failed${skipped}\n`),
    );
  }

  getLastError() {
    return this.#hasRun ? undefined : new Error('No test was run.');
  }
}
