/** Aligned columns: unlimited for a file or pipe, fitted to the width of a terminal. */

import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { fit, pad } from './width.js';

/** The output device. */
export interface Screen {
  /** Width of a terminal; undefined for a pipe or file. */
  readonly columns: number | undefined;
  /** Whether the terminal supports styles, and the user wants them (`NO_COLOR`). */
  readonly hasStyles: boolean;
}

const gap = '  ';
/** Minimum width of a truncated column. */
const leastWidth = 6;

/** @param rows The headings first. */
export function table(
  rows: readonly (readonly string[])[],
  { columns, hasStyles }: Screen,
): string {
  const cells = rows.map((row) => row.map(printable));
  const natural =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? '')))) ??
    [];
  const widths = columns === undefined ? natural : shrink(natural, columns);
  const lines = cells.map((row) =>
    row
      .map((cell, column) => pad(fit(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
  return lines
    .map(
      (line, index) =>
        `${index === 0 && hasStyles ? styleText('bold', line, { validateStream: false }) : line}\n`,
    )
    .join('');
}

/**
 * Control characters and changes of text direction would break the line, or misrepresent the stored
 * value.
 */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '�');

/** Narrows the widest columns until all fit. */
function shrink(natural: readonly number[], columns: number): number[] {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1) - columns;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= leastWidth) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
