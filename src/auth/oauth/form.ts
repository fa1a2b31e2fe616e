/** Reads and adjusts the forms that apps post, before oidc-provider reads them. */
import type { IncomingMessage } from 'node:http';
import type { ParameterizedContext } from 'koa';
import { readForm } from '../../http/form.js';
import { parseScope } from '../scopes.js';
import { jwtMark } from './access-tokens.js';

/**
 * Reads the body, and replaces it by what oidc-provider expects.
 * @throws {ApiError} `payload_too_large`, or `invalid_request` when the client disconnected.
 */
export async function mendForm(ctx: ParameterizedContext, path: string): Promise<void> {
  if (!ctx.is('urlencoded')) return;
  const form = await readForm(ctx.req);
  if (path === '/token') ignoreApiScopes(form);
  else markJwt(form);
  replaceBody(ctx, Buffer.from(form.toString()));
}

/** API scopes are never in a token, so a refresh ignores them too. */
function ignoreApiScopes(form: URLSearchParams): void {
  const [scope, another] = form.getAll('scope');
  if (scope === undefined || another !== undefined) return;
  const kept = scope.split(' ').filter((each) => parseScope(each) === undefined);
  if (kept.length > 0) form.set('scope', kept.join(' '));
  else form.delete('scope');
}

function markJwt(form: URLSearchParams): void {
  const [token, another] = form.getAll('token');
  if (another === undefined && token?.split('.').length === 3) form.set('token', jwtMark + token);
}

/** A copy of the request with another body. */
function replaceBody(ctx: ParameterizedContext, body: Buffer): void {
  const headers = { ...ctx.req.headers, 'content-length': String(body.length) };
  const request = Object.create(ctx.req, {
    headers: { value: headers },
    readable: { value: true },
    iterator: { value: () => [body] },
  }) as IncomingMessage;
  ctx.req = ctx.request.req = request;
}
