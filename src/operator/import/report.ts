/** What an import tells: how far it is, and the rows that it refused. */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Problems } from '../../errors.js';
import { type CsvRow, snakeCase } from './rows.js';

const cell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The refused rows as CSV beside the file: line and reasons first, then the row as it was, to mend and import again. Made with the first one. */
export class Rejections {
  count = 0;
  private stream: WriteStream | undefined;

  constructor(
    readonly file: string,
    private readonly columns: readonly string[],
  ) {}

  async add({ line, values }: CsvRow, problems: Readonly<Problems>): Promise<void> {
    this.count++;
    this.stream ??= this.begin();
    const reasons = Object.entries(problems).map(([name, sentences]) => `${snakeCase(name)} ${sentences.join(', ')}`);
    await this.write([String(line), reasons.join('; '), ...this.columns.map((name) => values[name] ?? '')]);
  }

  async end(): Promise<void> {
    if (!this.stream) return;
    this.stream.end();
    await once(this.stream, 'close');
  }

  private begin(): WriteStream {
    const stream = createWriteStream(this.file);
    stream.write(`${['line', 'problems', ...this.columns.map(snakeCase)].join(',')}\n`);
    return stream;
  }

  private async write(cells: readonly string[]): Promise<void> {
    if (!this.stream?.write(`${cells.map(cell).join(',')}\n`) && this.stream) await once(this.stream, 'drain');
  }
}

const width = 30;

/** A line that is written over, where somebody looks on. */
export class ProgressBar {
  private readonly started = performance.now();

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(what: string, rows: number, progress: number): void {
    if (!this.stream.isTTY) return;
    const done = Math.round(progress * width);
    const rate = Math.round(rows / ((performance.now() - this.started) / 1000));
    const percent = String(Math.floor(progress * 100)).padStart(3);
    this.stream.write(`\r\u001b[K${what} ${'█'.repeat(done)}${'░'.repeat(width - done)} ${percent} %  ${rows} rows, ${rate} a second`);
  }

  clear(): void {
    if (this.stream.isTTY) this.stream.write('\r\u001b[K');
  }
}
