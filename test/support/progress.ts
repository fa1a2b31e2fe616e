/** What `npm test` says of the files at the end: which took longest, so that the suite stays quick, which failed, and which never came to an end. */
import type { run } from 'node:test';

const shown = 15;

/** Follows a run. @returns What to say after it, and whether every file ran to its end. */
export function followFiles(stream: ReturnType<typeof run>, files: readonly string[]): () => { report: string; isComplete: boolean } {
  const begun = new Map<string, number>();
  const took = new Map<string, number>();
  const failed = new Set<string>();
  stream.on('test:dequeue', ({ name }) => void begun.set(name, performance.now()));
  stream.on('test:complete', ({ name }) => void took.set(name, performance.now() - (begun.get(name) ?? 0)));
  // node:test counts no file among its failures that didn't load.
  stream.on('test:fail', ({ name }) => void failed.add(name));
  return () => {
    const seconds = (file: string) => (took.get(file) ?? 0) / 1000;
    const slowest = files.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, shown);
    const total = files.reduce((sum, file) => sum + seconds(file), 0);
    const lines = [
      `The slowest of ${files.length} files (${total.toFixed(0)} s in all):`,
      ...slowest.map((file) => `${seconds(file).toFixed(1).padStart(7)} s  ${file}`),
      ...files.filter((file) => failed.has(file)).map((file) => `Failed: ${file}`),
      ...files.filter((file) => !took.has(file)).map((file) => `${begun.has(file) ? 'Did not end' : 'Was not run'}: ${file}`),
    ];
    return { report: `\n${lines.join('\n')}\n`, isComplete: files.every((file) => took.has(file)) };
  };
}
