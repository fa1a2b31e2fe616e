import type { ParameterizedContext } from 'koa';

/** Answers with an error in the shape of RFC 6749, as OAuth clients require. */
export function refuse(ctx: ParameterizedContext, status: number, error: string, description: string): void {
  ctx.status = status;
  ctx.body = { error, error_description: description };
}
