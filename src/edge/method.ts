import type { ParameterizedContext } from 'koa';
import { ApiError } from '../errors.js';

/** @throws {ApiError} `method_not_allowed`, with the methods in `Allow`, for any other method. */
export function requireMethod(ctx: ParameterizedContext, ...methods: string[]): void {
  if (methods.includes(ctx.method)) return;
  ctx.set('Allow', methods.join(', '));
  throw new ApiError('method_not_allowed');
}
