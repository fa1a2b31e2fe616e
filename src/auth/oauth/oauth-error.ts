import type { ParameterizedContext } from 'koa';

/** Responds with an error as defined by RFC 6749, which OAuth clients require. */
export function sendOAuthError(
  ctx: ParameterizedContext,
  status: number,
  error: string,
  description: string,
): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  ctx.body = { error, error_description: description };
}
