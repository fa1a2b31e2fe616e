/** An instant between 08:00 and 18:00 UTC of a day (`YYYY-MM-DD`), spread by a running number. */
export const momentOf = (day: string, number: number): string =>
  new Date(Date.parse(day) + (8 * 3600 + ((number * 1013) % 36_000)) * 1000).toISOString();

export const minutes = 60_000;

export const later = (at: string, milliseconds: number): string =>
  new Date(Date.parse(at) + milliseconds).toISOString();

/** The last of instants in the same text format. */
export const latest = (...instants: string[]): string => instants.toSorted().at(-1) ?? '';
