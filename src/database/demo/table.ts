/** Tables of the demo set as text, so that they read like a page. */

/**
 * The rows of a text: one a line, cells parted by ` · `.
 * @param columns Their names in order. Cells that a row leaves out are empty.
 */
export const parseTable = <Column extends string>(columns: readonly Column[], text: string): Record<Column, string>[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split('·').map((cell) => cell.trim());
      return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>;
    });

/** The words of a cell, parted by spaces. */
export const words = (cell: string): string[] => cell.split(' ').filter((word) => word !== '');

/** The item that a running number falls on, going round and round. */
export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new RangeError('There is nothing to pick from');
  return item;
}
