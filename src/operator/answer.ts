/** What a command answers: text for people, and the same as JSON for scripts. */
import { type Screen, table } from './table.js';

export interface Answer {
  /** Whole lines. */
  readonly text: string | ((screen: Screen) => string);
  /** Its properties, in `snake_case`, are documented and stay. */
  readonly json: object;
  /** Left out: 0. */
  readonly exitCode?: number;
}

/** A list, as a table. @param name What the list is called in JSON. @param columns The heading and the cell of each column. */
export const list = <Row extends object>(
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | null>>,
): Answer => ({
  text: (screen) =>
    table([Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => String(cellOf(row) ?? '–')))], screen),
  json: { [name]: rows },
});

/**
 * The shape of a document: its properties in order, those of objects in braces, those of lists after `[]`.
 * @returns For `{ "apps": [{ "name": "x" }], "count": 1 }` it is `apps[] { name }, count`.
 */
export const shapeOf = (document: object): string =>
  Object.entries(document)
    .map(([name, value]) => {
      const inner: unknown = Array.isArray(value) ? value[0] : value;
      const shape = typeof inner === 'object' && inner !== null ? ` { ${shapeOf(inner)} }` : '';
      return `${name}${Array.isArray(value) ? '[]' : ''}${shape}`;
    })
    .join(', ');
