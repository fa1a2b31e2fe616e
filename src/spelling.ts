/** Edit distance of two spellings. */

/**
 * The number of insertions, deletions, replacements and swaps of neighbours between two words
 * (optimal string alignment).
 */
export function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let line = 0; line < one.length; line++) {
    const next = [line + 1];
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (one[line] === other[column] ? 0 : 1);
      const isSwap =
        line > 0 &&
        column > 0 &&
        one[line] === other[column - 1] &&
        one[line - 1] === other[column];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
