/** The figures as text. */
import type { Comparison, Spread } from '../rounds.js';

/** Two or three digits that count. */
export const short = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);

const spread = ({ median, least, most }: Spread): string =>
  `${short(median)} (${short(least)}–${short(most)})`;

export const headings = [
  'operation',
  'server',
  'ratio at equal CPU',
  'ratio of rates',
  'requests/s',
  'requests/CPU-s',
  'CPU ms',
  'PostgreSQL ms',
  'p50 ms',
  'p99 ms',
];

/** The cells of each server; the ratios are the first server's to it. */
export function cellsOf({ operation, figures, ratios }: Comparison): string[][] {
  return figures.map(({ variant, rate, perCpu, serverCpu, databaseCpu, p50, p99 }) => {
    const ratio = ratios.find(({ to }) => to === variant);
    const measured = [rate, perCpu, serverCpu, databaseCpu, p50, p99].map(({ median }) =>
      short(median),
    );
    return [
      operation,
      variant,
      ratio ? spread(ratio.atEqualCpu) : '',
      ratio ? spread(ratio.rate) : '',
      ...measured,
    ];
  });
}

/** The ratios alone, without figures that depend on the machine. */
export const ratioHeadings = headings.slice(0, 4);

export const ratioCellsOf = (comparison: Comparison): string[][] =>
  cellsOf(comparison)
    .map((cells) => cells.slice(0, 4))
    .filter(([, , atEqualCpu]) => atEqualCpu !== '');

const widths = [18, 13, 20, 20, 10, 14, 8, 13, 7, 7];

export const lineOf = (cells: readonly string[], columns: readonly number[] = widths): string =>
  cells
    .map((cell, index) =>
      index < 2 ? cell.padEnd(columns[index] ?? 0) : cell.padStart(columns[index] ?? 0),
    )
    .join('  ');

export const rowsOf = (comparison: Comparison): string[] =>
  cellsOf(comparison).map((cells) => lineOf(cells));

export const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, index) => (index < 2 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
