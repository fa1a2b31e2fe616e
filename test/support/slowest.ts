/** A reporter for `npm test`: the files that took longest, so that the suite stays quick. */
interface Event {
  readonly type: string;
  readonly data: { readonly file?: string; readonly duration_ms?: number };
}

const shown = 15;

export default async function* slowest(events: AsyncIterable<Event>): AsyncGenerator<string> {
  const files: { file: string; seconds: number }[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file) files.push({ file: data.file, seconds: (data.duration_ms ?? 0) / 1000 });
  }
  files.sort((a, b) => b.seconds - a.seconds);
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const lines = files
    .slice(0, shown)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file.replace(/^.*\/dist\/test\//, '')}`);
  yield `\nThe slowest of ${files.length} files (${total.toFixed(0)} s in all):\n${lines.join('\n')}\n`;
}
