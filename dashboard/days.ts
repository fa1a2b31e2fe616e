/** Calendar days, formatted for people, and weeks. */
import { dayAfter } from '../src/scalars/day.js';

const millisecondsPerDay = 86_400_000;

export const daysBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / millisecondsPerDay;

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `3 Mar 2026` */
export const longDay = (day: string): string => long.format(Date.parse(day));
/** `3 Mar` */
export const shortDay = (day: string): string => short.format(Date.parse(day));

export interface Week {
  readonly from: string;
  readonly until: string;
}

const weekCount = 13;

/** The weeks from a day on, Monday to Sunday; the first one starts on the day itself. */
export function weeksFrom(day: string): Week[] {
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  const monday = dayAfter(day, -sinceMonday);
  return Array.from({ length: weekCount }, (_, index) => ({
    from: index === 0 ? day : dayAfter(monday, 7 * index),
    until: dayAfter(monday, 7 * index + 6),
  }));
}
