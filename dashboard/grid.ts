/** Keyboard navigation between the cells of a table, by the ARIA grid pattern. */

export interface Position {
  readonly row: number;
  readonly column: number;
}

type Step = (at: Position, rows: number, columns: number) => Position;

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, _, columns) => ({ row, column: columns - 1 }),
  PageUp: ({ row, column }) => ({ row: row - 10, column }),
  PageDown: ({ row, column }) => ({ row: row + 10, column }),
};

const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

/** The cell that a key leads to; at the edge the same one. Undefined for other keys. */
export function moved(
  event: KeyboardEvent,
  at: Position,
  rows: number,
  columns: number,
): Position | undefined {
  const isModified = event.ctrlKey || event.altKey || event.metaKey;
  const isInBody = event.target instanceof Element && event.target.closest('tbody') !== null;
  const step = isModified || !isInBody ? undefined : steps[event.key];
  if (!step) return undefined;
  const { row, column } = step(at, rows, columns);
  return { row: within(row, rows), column: within(column, columns) };
}
