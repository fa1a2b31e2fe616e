/**
 * Moments in the reader's zone and language: <time datetime="2026-11-21T04:38:05Z"
 * data-only="day">. A day of the calendar has no "T", and stays.
 */
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/**
 * What an element shows for a moment. The title names the zone, and so tells apart the two hours
 * that a clock that is set back has twice.
 */
export function shown(at, only) {
  const date = new Date(at);
  return {
    textContent: (only === 'day' ? day : moment).format(date),
    title: exact.format(date),
    lang: exact.resolvedOptions().locale,
  };
}

for (const element of document.querySelectorAll('time[datetime*="T"]'))
  Object.assign(element, shown(element.dateTime, element.dataset.only));
