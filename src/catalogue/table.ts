/** Readable tables of data as text. */

/**
 * Parses a table: one row per line, cells separated by ` · `.
 * @param columns Their names in order. Missing cells are empty.
 */
export const parseTable = <Column extends string>(
  columns: readonly Column[],
  text: string,
): Record<Column, string>[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split('·').map((cell) => cell.trim());
      return Object.fromEntries(
        columns.map((column, index) => [column, cells[index] ?? '']),
      ) as Record<Column, string>;
    });

/** The words of a cell, separated by spaces. */
export const words = (cell: string): string[] => cell.split(' ').filter((word) => word !== '');

/** The item for a running number, cyclically. */
export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new RangeError('There is nothing to pick from');
  return item;
}
