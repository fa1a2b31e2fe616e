/** Detects requests for the page of /graphql instead of an operation. */
import type { ParameterizedContext } from 'koa';

/** Whether a browser navigates to the page: it prefers HTML and sends no operation. */
export const isForPage = (ctx: ParameterizedContext): boolean =>
  ctx.method === 'GET' &&
  ctx.query.query === undefined &&
  ctx.query.extensions === undefined &&
  ctx.accepts('json', 'html') === 'html';
