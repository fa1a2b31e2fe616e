/** A moment between 8 and 18 o'clock UTC of a day (`YYYY-MM-DD`), spread by a running number. */
export const momentOf = (day: string, number: number): string =>
  new Date(Date.parse(day) + (8 * 3600 + ((number * 1013) % 36_000)) * 1000).toISOString();
