type Row = Readonly<Record<string, unknown>>;

/** The properties that differ; an empty object when the change changes nothing. */
export const difference = (set: Row, from: Row): Row =>
  Object.fromEntries(Object.entries(set).filter(([name, value]) => value !== from[name]));
