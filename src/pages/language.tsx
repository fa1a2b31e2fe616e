/** The language of a page: the person's choice, otherwise the first of the browser's that exists. */
import type { ParameterizedContext } from 'koa';
import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type ApiError, messageOf } from '../errors.js';
import { en, type Messages } from './messages/en.js';
import { es } from './messages/es.js';

export type { Messages } from './messages/en.js';

export const catalogues = { en, es } as const;
export type Language = keyof typeof catalogues;

/** Each language in its own words. */
export const languages: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/** The cookie with the choice. It has no `__Host-` prefix: it is one of two known values. */
export const languageCookie = 'lanyard_language';

export const isLanguage = (tag: string | undefined): tag is Language =>
  tag !== undefined && Object.hasOwn(catalogues, tag);

export function languageOf(ctx: ParameterizedContext): Language {
  const chosen = ctx.cookies.get(languageCookie, { signed: false });
  if (isLanguage(chosen)) return chosen;
  const accepted = ctx.acceptsLanguages(Object.keys(catalogues));
  return accepted && isLanguage(accepted) ? accepted : 'en';
}

/** The texts of a page, for its title and the like. Components use {@link useTexts}. */
export const textsOf = (ctx: ParameterizedContext): Messages => catalogues[languageOf(ctx)];

/** The language of the components of a page; public pages are English. */
export const PageLanguage = createContext<Language>('en');

export const useTexts = (): Messages => catalogues[useContext(PageLanguage)];

/** A text with its `{}` replaced. */
export const Fill = ({ text, children }: { text: string; children: ComponentChildren }) => {
  const [before, after] = text.split('{}');
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
};

/** A message of the code, which is English. */
export const say = (t: Messages, message: string): string => t.errors.said[message] ?? message;

/** The message of an error for people. */
export function sayError(t: Messages, { code, message, retryAfter }: ApiError): string {
  if (code === 'rate_limited' && retryAfter && t.locale !== en.locale)
    return t.errors.wait(Math.ceil(retryAfter / 60));
  return message === messageOf(code)
    ? (t.errors.sentences[code] ?? say(t, message))
    : say(t, message);
}
