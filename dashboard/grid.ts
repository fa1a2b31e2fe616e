/** Keyboard navigation in a table of links, by the ARIA grid pattern. */

type Step = (
  row: number,
  column: number,
  rows: number,
  columns: number,
) => readonly [row: number, column: number];

const steps: Readonly<Record<string, Step>> = {
  ArrowUp: (row, column) => [row - 1, column],
  ArrowDown: (row, column) => [row + 1, column],
  ArrowLeft: (row, column) => [row, column - 1],
  ArrowRight: (row, column) => [row, column + 1],
  Home: (row) => [row, 0],
  End: (row, _, __, columns) => [row, columns - 1],
  PageUp: (row, column) => [Math.max(0, row - 10), column],
  PageDown: (row, column, rows) => [Math.min(rows - 1, row + 10), column],
};

/** Moves the focus and the tab stop. At the edge it stays. */
export function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const step = event.ctrlKey || event.altKey || event.metaKey ? undefined : steps[event.key];
  if (!table || !step || !(event.target instanceof HTMLAnchorElement)) return;
  const links = [...table.tBodies].flatMap((body) =>
    [...body.rows].map((row) => [...row.querySelectorAll('a')]),
  );
  const row = links.findIndex((each) => each.includes(event.target as HTMLAnchorElement));
  const column = links[row]?.indexOf(event.target) ?? 0;
  const [toRow, toColumn] = step(row, column, links.length, links[0]?.length ?? 0);
  event.preventDefault();
  const wanted = links[toRow]?.[toColumn];
  if (!wanted) return;
  event.target.tabIndex = -1;
  wanted.tabIndex = 0;
  wanted.focus();
}
