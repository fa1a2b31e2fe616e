/** Calendar days in UTC as `YYYY-MM-DD` text. Text comparison is date comparison. */

const millisecondsPerDay = 86_400_000;

let current = { number: 0, day: '1970-01-01' };

/** Today in UTC. Memoized, because every request needs it. */
export function today(now = Date.now()): string {
  const number = Math.floor(now / millisecondsPerDay);
  if (current.number !== number)
    current = { number, day: new Date(now).toISOString().slice(0, 10) };
  return current.day;
}

/** The first and last day that `YYYY-MM-DD` can express. */
export const firstDay = '0001-01-01';
export const lastDay = '9999-12-31';
const [earliest, latest] = [Date.parse(firstDay), Date.parse(lastDay)];

/**
 * The day `days` after `day`, or before it if negative. Clamped to {@link firstDay} and {@link
 * lastDay}.
 */
export function dayAfter(day: string, days: number): string {
  const time = Math.min(Math.max(Date.parse(day) + days * millisecondsPerDay, earliest), latest);
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether `text` is a real calendar day from year 1 on. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
