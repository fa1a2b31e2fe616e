/** The rows of a CSV file (RFC 4180, UTF-8, a first line of names), streamed. */
import { createReadStream, statSync } from 'node:fs';
import { parse } from 'csv-parse';
import { UsageError } from '../usage.js';

export interface CsvRow {
  /** The line on which the row ends, from 1. */
  readonly line: number;
  /** By property: null for an empty cell. */
  readonly values: Readonly<Record<string, string | null>>;
  /** How much of the file was read by then, from 0 to 1. */
  readonly progress: number;
}

const camelCase = (name: string): string => name.trim().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `external_id`, as the file and its report spell it. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * @param properties What the columns may be called, in `snake_case` or `camelCase`.
 * @throws {UsageError} when the file can't be read, is no CSV, or has a column that is not known: its values would silently be left out.
 */
export async function* readCsv(file: string, properties: readonly string[]): AsyncGenerator<CsvRow> {
  const columns = (names: string[]): string[] => {
    const read = names.map(camelCase);
    const wrong = read.filter((name, index) => !properties.includes(name) || read.indexOf(name) !== index);
    if (wrong.length > 0) {
      throw new UsageError(
        `${file} has columns that are unknown or doubled: ${wrong.join(', ')}. Known are ${properties.map(snakeCase).join(', ')}.`,
      );
    }
    return read;
  };
  try {
    const { size } = statSync(file);
    const parser = createReadStream(file).pipe(parse({ bom: true, columns, info: true, skip_empty_lines: true, trim: true }));
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, string>;
      info: { lines: number; bytes: number };
    }>) {
      const values = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === '' ? null : value]));
      yield { line: info.lines, values, progress: size === 0 ? 1 : info.bytes / size };
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}
