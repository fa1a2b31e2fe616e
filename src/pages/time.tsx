/** Times and days, formatted for people. */

import { catalogues, useTexts } from './language.js';

const formatsOf = (locale: string) => ({
  day: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
  moment: new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }),
});

const formats = new Map(
  Object.values(catalogues).map(({ locale }) => [locale, formatsOf(locale)] as const),
);

const useFormats = () => formats.get(useTexts().locale) ?? formatsOf('en-GB');

/**
 * An instant: "21 Nov 2026, 04:38 UTC", or its day. With scripts, public/times.js converts it to
 * the reader's time zone.
 * @param at RFC 3339, with a time.
 */
export const Time = ({ at, only }: { at: string; only?: 'day' }) => (
  <time dateTime={at} data-only={only} dir="auto">
    {useFormats()[only ?? 'moment'].format(new Date(at))} UTC
  </time>
);

/** A calendar day, YYYY-MM-DD: the same in every time zone. */
export const Day = ({ on }: { on: string }) => (
  <time dateTime={on}>{useFormats().day.format(new Date(on))}</time>
);
