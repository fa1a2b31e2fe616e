/** The person's choice of the language of pages. */

import { ApiError } from '../errors.js';
import { field } from '../pages/context.js';
import { isLanguage, languageCookie } from '../pages/language.js';
import { type PortalContext, type PortalRoute, SeeOther } from './route.js';

export const languageRoutes: readonly PortalRoute[] = [
  { method: 'POST', path: '/portal/language', handler: chooseLanguage },
];

const oneYearMs = 365 * 24 * 3600 * 1000;

/** Returns to the page with the form, whose address browsers send in the `Referer`. */
function chooseLanguage(ctx: PortalContext): void {
  const language = field(ctx, 'language');
  if (!isLanguage(language))
    throw new ApiError('validation_error', 'This language does not exist here.');
  const { BASE_URL } = ctx.state.portal.config;
  const secure = BASE_URL.startsWith('https:');
  ctx.cookies.secure = secure;
  ctx.cookies.set(languageCookie, language, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    signed: false,
    maxAge: oneYearMs,
  });
  const from = ctx.get('referer');
  const back = URL.canParse(from) ? new URL(from) : new URL('/portal', BASE_URL);
  const isOwn =
    back.origin === new URL(BASE_URL).origin && /^\/(portal|dashboard)(\/|$)/.test(back.pathname);
  throw new SeeOther(isOwn ? back.pathname + back.search : '/portal');
}
