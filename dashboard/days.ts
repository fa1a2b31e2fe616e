/** Arithmetic of calendar days, and weeks. */
import { dayAfter } from '../src/scalars/day.js';

const millisecondsPerDay = 86_400_000;

export const daysBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / millisecondsPerDay;

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
