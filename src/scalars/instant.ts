/**
 * Instants as RFC 3339 text in UTC with six fractional digits, the precision of the database. Text
 * comparison is time comparison.
 */
import { isDay } from './day.js';

export const firstInstant = '0001-01-01T00:00:00.000000Z';
export const lastInstant = '9999-12-31T23:59:59.999999Z';

/** Thrown for an instant before {@link firstInstant} or after {@link lastInstant}. */
export class OutOfRange extends Error {}

const rfc3339 =
  /^(\d{4})(-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?([Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const millisecondsPerMinute = 60_000;

/**
 * Parses an RFC 3339 date-time with any offset from -23:59 to +23:59. `t` and `z` may be in lower
 * case and `-00:00` is UTC (RFC 3339, 4.3 and 5.6). A leap second, 23:59:60 in UTC, is the first
 * second of the next day, as in PostgreSQL. Digits beyond microseconds are truncated: no stored
 * instant lies between.
 * @returns Undefined for any other text.
 * @throws {OutOfRange}
 */
export function readInstant(text: string): string | undefined {
  const [
    ,
    year = '',
    date,
    hour,
    minute,
    second,
    fraction = '',
    ,
    sign,
    offsetHours = 0,
    offsetMinutes = 0,
  ] = rfc3339.exec(text) ?? [];
  // Year 0 is a leap year, as 2000 is.
  if (!isDay(`${year === '0000' ? '2000' : year}${date}`)) return undefined;
  const isLeap = second === '60';
  const local = Date.parse(`${year}${date}T${hour}:${minute}:${isLeap ? 59 : second}Z`);
  const offset =
    (sign === '-' ? -1 : 1) *
    (60 * Number(offsetHours) + Number(offsetMinutes)) *
    millisecondsPerMinute;
  const utc = new Date(local - offset);
  if (isLeap && !utc.toISOString().endsWith('T23:59:59.000Z')) return undefined;
  const whole = (isLeap ? new Date(utc.getTime() + 1000) : utc).toISOString();
  const instant = `${whole.slice(0, -'.000Z'.length)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
  // Years with more than four digits have a leading sign.
  if (/^[+-]/.test(instant) || instant < firstInstant) throw new OutOfRange();
  return instant;
}
