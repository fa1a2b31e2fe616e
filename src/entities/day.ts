/** Calendar days as `YYYY-MM-DD` text, in UTC: comparing the text compares the days. */

const millisecondsPerDay = 86_400_000;

/** Today in UTC. */
export const today = (now = new Date()): string => now.toISOString().slice(0, 10);

/** The day `days` after (or, if negative, before) `day`. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * millisecondsPerDay).toISOString().slice(0, 10);

/** Whether `text` is a real calendar day from year 1 on. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
