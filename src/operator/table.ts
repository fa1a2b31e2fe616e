/** Rows in aligned columns: as wide as they are for a file or a pipe, within the width of a terminal. */

import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { fit, pad } from './width.js';

/** Where the text goes. */
export interface Screen {
  /** Of a terminal; undefined for a pipe or a file. */
  readonly columns: number | undefined;
  /** A terminal that shows styles, and a user who wants them (`NO_COLOR`). */
  readonly hasStyles: boolean;
}

const gap = '  ';
/** No column is cut to less. */
const leastWidth = 6;

/** @param rows The headings first. */
export function table(rows: readonly (readonly string[])[], { columns, hasStyles }: Screen): string {
  const cells = rows.map((row) => row.map(printable));
  const natural = cells[0]?.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? '')))) ?? [];
  const widths = columns === undefined ? natural : shrink(natural, columns);
  const lines = cells.map((row) =>
    row
      .map((cell, column) => pad(fit(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
  return lines.map((line, index) => `${index === 0 && hasStyles ? styleText('bold', line, { validateStream: false }) : line}\n`).join('');
}

/** What moves the cursor or turns the direction of writing would spoil the line, or say something else than what is stored. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '�');

/** Takes from the widest columns until all fit. */
function shrink(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1) - columns;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= leastWidth) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
