/**
 * CSRF protection: a form must come from our origin, with a token of the browser that requested the
 * page.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { readCookie, writeCookie } from '../auth/accounts/cookies.js';
import { createSecret } from '../auth/accounts/secrets.js';
import type { Config } from '../config.js';
import { ApiError } from '../errors.js';
import { PageError } from './context.js';

export const csrfField = 'csrf';

/**
 * The secret that CSRF tokens and passkey challenges of this browser are bound to: that of its
 * session or, before sign-in, a separate one. Sign-in changes it, so that earlier tokens become
 * invalid.
 */
export function browserSecret(ctx: ParameterizedContext, config: Config): string {
  const present = readCookie(ctx, config, 'session') ?? readCookie(ctx, config, 'visit');
  if (present) return present;
  const secret = createSecret();
  writeCookie(ctx, config, 'visit', secret);
  return secret;
}

export const csrfTokenOf = (secret: string): string =>
  createHmac('sha256', secret).update(csrfField).digest('base64url');

/** @throws {ApiError} `forbidden` when the form was not sent by a page of ours in this browser. */
export function requireOwnForm(
  ctx: ParameterizedContext,
  config: Config,
  expected: string,
  form: URLSearchParams,
): void {
  const origin = ctx.get('origin');
  if (origin !== new URL(config.BASE_URL).origin) {
    throw new ApiError(
      'forbidden',
      `This form was not sent from ${new URL(config.BASE_URL).origin}: open the page there and send it again.`,
    );
  }
  const given = Buffer.from(form.get(csrfField) ?? '');
  const wanted = Buffer.from(expected);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new PageError(
      'forbidden',
      'This page is out of date',
      'You signed in or out since it was opened, so nothing was changed. Go back, reload the page, and send the form again.',
    );
  }
}
