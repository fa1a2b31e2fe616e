/** Streams the rows of a CSV file (RFC 4180, UTF-8, with a header line). */
import { createReadStream, statSync } from 'node:fs';
import { parse } from 'csv-parse';
import { UsageError } from '../usage.js';

export interface CsvRow {
  /** The last line of the row, from 1. */
  readonly line: number;
  /** By property; null for an empty cell. */
  readonly values: Readonly<Record<string, string | null>>;
  /** The part of the file that was read, from 0 to 1. */
  readonly progress: number;
}

const camelCase = (name: string): string =>
  name.trim().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `external_id`: the spelling of the file and its report. */
export const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * @param properties Valid column names, in `snake_case` or `camelCase`.
 * @throws {UsageError} when the file is unreadable, not CSV, or has an unknown column, whose values
 * would be silently ignored.
 */
export async function* readCsv(
  file: string,
  properties: readonly string[],
): AsyncGenerator<CsvRow> {
  const columns = (names: string[]): string[] => {
    const read = names.map(camelCase);
    const wrong = read.filter(
      (name, index) => !properties.includes(name) || read.indexOf(name) !== index,
    );
    if (wrong.length > 0) {
      throw new UsageError(
        `${file} has columns that are unknown or doubled: ${wrong.join(', ')}. Known are ${properties.map(snakeCase).join(', ')}.`,
      );
    }
    return read;
  };
  try {
    const { size } = statSync(file);
    const parser = createReadStream(file).pipe(
      parse({ bom: true, columns, info: true, skip_empty_lines: true, trim: true }),
    );
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number; bytes: number };
    }>) {
      const values = Object.fromEntries(
        Object.entries(record).map(([name, value]) => [name, value === '' ? null : value]),
      );
      yield { line: info.lines, values, progress: size === 0 ? 1 : info.bytes / size };
    }
  } catch (error) {
    throw error instanceof UsageError
      ? error
      : new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
