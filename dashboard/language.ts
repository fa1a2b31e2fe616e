/** The language of the page, and how it writes days, numbers and lists. */
import { en, type Messages } from './messages/en.js';
import { es } from './messages/es.js';

const catalogues = { en, es } as const;
export type Language = keyof typeof catalogues;

const isLanguage = (tag: string): tag is Language => Object.hasOwn(catalogues, tag);
const primary = (locale: string): string => locale.split('-', 1)[0] ?? '';

/** That of the page, which the server chooses (src/pages/language.tsx). */
const page = document.documentElement.lang;
export const language: Language = isLanguage(page) ? page : 'en';

export const t: Messages = catalogues[language];

/** The reader's region where the language allows it: days are 3/3 or 03/03. */
export const locale =
  navigator.languages.find((each) => primary(each) === language) ?? (language as string);

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const number = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: 'percent' });
const list = new Intl.ListFormat(locale, { type: 'conjunction' });
const order = new Intl.Collator(locale);

/** A calendar day, the same in every time zone. The only format of days on the page. */
export const formatDay = (on: string): string => day.format(Date.parse(on));
/** An instant in the reader's time zone. */
export const formatMoment = (at: string): string => moment.format(Date.parse(at));
/** An instant with its time zone, which distinguishes the hours of a clock change. */
export const formatExactly = (at: string): string => exact.format(Date.parse(at));
export const formatNumber = (value: number): string => number.format(value);
/** Rounds down: only all is 100 %. */
export const formatShare = (part: number, whole: number): string =>
  percent.format(whole === 0 ? 0 : Math.floor((100 * part) / whole) / 100);
export const formatList = (items: readonly string[]): string => list.format(items);
export const byText = (one: string, other: string): number => order.compare(one, other);

/** For searches: without case and diacritics. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
