type Row = Readonly<Record<string, unknown>>;

/** The properties that differ; an empty object when the change changes nothing. */
export const difference = (set: Row, from: Row): Row =>
  Object.fromEntries(Object.entries(set).filter(([name, value]) => value !== from[name]));

/** One property of a change, as readers of the audit get it. */
export interface ChangedProperty {
  readonly property: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** The changes of an audit event, property by property: values that are no text as JSON. */
export const changedProperties = (changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): ChangedProperty[] =>
  Object.entries(changes).map(([property, [from, to]]) => ({ property, from: inText(from), to: inText(to) }));

const inText = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value);
