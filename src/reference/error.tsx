/** Error pages for browsers, in the language of the reader. */
import type { ParameterizedContext } from 'koa';
import type { ApiError } from '../errors.js';
import { LinkButton } from '../pages/components.js';
import { RequestNumber, wordsOf } from '../pages/error.js';
import { catalogues, languageOf } from '../pages/language.js';
import { headersOf } from '../pages/security.js';
import { htmlOf } from './public.js';

/** Paths that respond to browsers as to programs. */
const isForPrograms = (path: string): boolean => /^\/(v1|graphql)(\/|$)/.test(path);

/**
 * Responds with a page, if a browser asked for one. API clients get JSON.
 * @returns Whether it did.
 */
export function showErrorPage(
  ctx: ParameterizedContext,
  error: ApiError,
  requestId: string,
): boolean {
  if (isForPrograms(ctx.path) || ctx.accepts('json', 'html') !== 'html') return false;
  const language = languageOf(ctx);
  const t = catalogues[language];
  const { heading, sentence: words } = wordsOf(error, t);
  // The router's message is for programs.
  const sentence = error.code === 'not_found' ? t.errors.noPage : words;
  ctx.set(headersOf());
  ctx.set('Content-Language', language);
  ctx.vary(['Accept', 'Accept-Language', 'Cookie']);
  ctx.status = error.status;
  ctx.type = 'html';
  ctx.body = htmlOf(
    '',
    { title: heading, styles: ['reference.css'] },
    <div class="lost">
      <h1>{heading}</h1>
      <p class="lead">{sentence}</p>
      <p class="actions">
        <LinkButton href="/">{t.frame.start}</LinkButton>
        <LinkButton href="/docs/quickstart" kind="plain">
          {t.frame.guides}
        </LinkButton>
        <LinkButton href="/docs" kind="plain">
          {t.frame.reference}
        </LinkButton>
        <LinkButton href="/portal" kind="plain">
          Portal
        </LinkButton>
      </p>
      {error.status >= 500 && <RequestNumber id={requestId} />}
    </div>,
    language,
  );
  return true;
}
