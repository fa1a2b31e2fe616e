/** Routers of `@koa/router`, the route of a request, and the response without one. */
import { METHODS } from 'node:http';
import { Router } from '@koa/router';
import type { DefaultState, Middleware, ParameterizedContext } from 'koa';
import { ApiError } from '../errors.js';

/**
 * A router whose paths match to the letter: case and a slash at the end count. Every method of HTTP
 * is known to it, so that a path without the method is 405, never 501.
 */
export const createRouter = <State = DefaultState>(): Router<State> =>
  new Router<State>({ sensitive: true, strict: true, methods: METHODS });

/** From a path template, `/portal/apps/{id}`, to the pattern of a route, `/portal/apps/:id`. */
export const patternOf = (template: string): string => template.replace(/\{(\w+)\}/g, ':$1');
/** From the pattern of a route to its path template, by which logs and telemetry name it. */
export const templateOf = (pattern: string): string => pattern.replace(/:(\w+)/g, '{$1}');

/**
 * The path template of the route that took the request, such as
 * `/v1/certifications/{certification_id}`. Many requests share it. Undefined where no route has the
 * path and the method.
 */
export function routeOf({ state, matched, method }: ParameterizedContext): string | undefined {
  if (state.route) return state.route;
  const layer = (matched as Router['stack'] | undefined)?.find(({ methods }) =>
    methods.includes(method),
  );
  return layer && (layer.name ?? String(layer.path));
}

const setAllow = createRouter().allowedMethods() as Middleware;

/**
 * Stands before all routers, and responds where none of them has the path (404), or none has it
 * with the method (405, and 204 to OPTIONS, both with `Allow`).
 */
export const refuseUnrouted: Middleware = async (ctx, next) => {
  await setAllow(ctx, next);
  if (routeOf(ctx) !== undefined) return;
  if (ctx.status === 404)
    throw new ApiError(
      'not_found',
      'There is nothing at this path; /v1/openapi.json lists all paths.',
    );
  ctx.set('Allow', [...ctx.response.get('Allow').split(', '), 'OPTIONS'].sort().join(', '));
  if (ctx.method !== 'OPTIONS') throw new ApiError('method_not_allowed');
  ctx.status = 204;
};
