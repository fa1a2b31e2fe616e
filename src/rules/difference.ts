type Row = Readonly<Record<string, unknown>>;

/** The properties that differ; an empty object when none does. */
export const difference = (set: Row, from: Row): Row =>
  Object.fromEntries(Object.entries(set).filter(([name, value]) => value !== from[name]));

/** One changed property of an audit event. */
export interface ChangedProperty {
  readonly property: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The changes of an audit event by property. Values that are not text are JSON. */
export const changedProperties = (
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>,
): ChangedProperty[] =>
  Object.entries(changes).map(([property, [from, to]]) => ({
    property,
    from: inText(from),
    to: inText(to),
  }));

const inText = (value: unknown): string | null =>
  value === null || value === undefined
    ? null
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
