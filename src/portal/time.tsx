/** Times and days, as people read them. */

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * A moment: "21 Nov 2026, 04:38 UTC", or the day that it falls on. Where scripts run, public/times.js puts it into the reader's zone.
 * @param at RFC 3339, with a time.
 */
export const Time = ({ at, only }: { at: string; only?: 'day' }) => (
  <time dateTime={at} data-only={only} dir="auto">
    {(only === 'day' ? day : moment).format(new Date(at))} UTC
  </time>
);

/** A day of the calendar, YYYY-MM-DD: the same day in every zone. */
export const Day = ({ on }: { on: string }) => <time dateTime={on}>{day.format(new Date(on))}</time>;
