/** Times and days, formatted for people. */

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/**
 * An instant: "21 Nov 2026, 04:38 UTC", or its day. With scripts, public/times.js converts it to
 * the reader's time zone.
 * @param at RFC 3339, with a time.
 */
export const Time = ({ at, only }: { at: string; only?: 'day' }) => (
  <time dateTime={at} data-only={only} dir="auto">
    {(only === 'day' ? day : moment).format(new Date(at))} UTC
  </time>
);

/** A calendar day, YYYY-MM-DD: the same in every time zone. */
export const Day = ({ on }: { on: string }) => (
  <time dateTime={on}>{day.format(new Date(on))}</time>
);
