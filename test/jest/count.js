/**
 * Prints how many tests passed and failed, as the last line of a run. A file that does not load
 * counts as a failed test; a run without tests fails.
 */
export default class Count {
  #hasRun = false;

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests },
  ) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    this.#hasRun = numPassedTests + failed > 0;
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    // After Jest's own summary.
    process.once('exit', () =>
      process.stderr.write(`\n${numPassedTests} passed, ${failed} failed${skipped}\n`),
    );
  }

  getLastError() {
    return this.#hasRun ? undefined : new Error('No test was run.');
  }
}
