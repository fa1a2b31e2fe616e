/** Reports the refused rows of an import. */

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Problems } from '../../errors.js';
import { type CsvRow, snakeCase } from './rows.js';

const cell = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/**
 * A CSV file of the refused rows beside the input: line and reasons, then the original row, to
 * correct and import again. Created with the first one.
 */
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
    const reasons = Object.entries(problems).map(
      ([name, sentences]) => `${snakeCase(name)} ${sentences.join(', ')}`,
    );
    await this.write([
      String(line),
      reasons.join('; '),
      ...this.columns.map((name) => values[name] ?? ''),
    ]);
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
    if (!this.stream?.write(`${cells.map(cell).join(',')}\n`) && this.stream)
      await once(this.stream, 'drain');
  }
}
