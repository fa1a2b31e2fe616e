/** The output of a command: text for people, and JSON for scripts. */
import { type Screen, table } from './table.js';

export interface CommandOutput {
  /** Complete lines. */
  readonly text: string | ((screen: Screen) => string);
  /** Its properties, in `snake_case`, are documented and stable. */
  readonly json: object;
  /** Default: 0. */
  readonly exitCode?: number;
}

/**
 * A list, as a table.
 * @param name Its name in JSON.
 * @param columns Heading and cell of each column.
 */
export const list = <Row extends object>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): CommandOutput => ({
  text: (screen) =>
    table(
      [
        Object.keys(columns),
        ...rows.map((row) => Object.values(columns).map((cellOf) => String(cellOf(row) ?? '–'))),
      ],
      screen,
    ),
  json: { [name]: rows },
});

/**
 * The shape of a document: its properties in order, objects in braces, list items after `[]`.
 * @returns For `{ "apps": [{ "name": "x" }], "count": 1 }`: `apps[] { name }, count`.
 */
export const shapeOf = (document: object): string =>
  Object.entries(document)
    .map(([name, value]) => {
      const inner: unknown = Array.isArray(value) ? value[0] : value;
      const shape = typeof inner === 'object' && inner !== null ? ` { ${shapeOf(inner)} }` : '';
      return `${name}${Array.isArray(value) ? '[]' : ''}${shape}`;
    })
    .join(', ');
