/** The REST router: matches the route, reads the input, runs the operation and replies. */
import type { Router, RouterContext } from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Context } from '../context.js';
import type { ApiError } from '../errors.js';
import { execute, requireUnused } from '../graph/execution/execute.js';
import { type Answer, claimOf } from '../graph/execution/idempotency.js';
import { parseBody, readBody } from '../http/body.js';
import { appliedPreferences } from '../http/prefer.js';
import type { Gate, Identified } from '../http/request-context.js';
import { createRouter, patternOf } from '../http/router.js';
import { readInput } from './input.js';
import type { Endpoint } from './operations.js';
import { etagOf, isNamed, versionsOf } from './preconditions.js';
import { errorAnswer, toAnswer, toRestError } from './reply.js';
import { isConditional } from './routes.js';

type PathParameters = Readonly<Record<string, string | undefined>>;

interface Answered {
  readonly answer: Answer;
  /** The entity tag of a read of one record or a complete set. */
  readonly etag?: string | undefined;
  readonly isFromStandby?: boolean | undefined;
}

/**
 * A router with a route for each endpoint.
 * @param limit Runs before every route.
 */
export function createRestRouter(
  gate: Gate,
  endpoints: readonly Endpoint[],
  limit: Middleware,
): Router {
  const router = createRouter();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route;
    const handle: Middleware = (ctx) =>
      limit(ctx, () => serve(ctx as RouterContext, gate, endpoint));
    router.register(patternOf(path), [method], handle, { name: path });
  }
  return router;
}

async function serve(ctx: RouterContext, gate: Gate, endpoint: Endpoint): Promise<void> {
  ctx.state.operation = endpoint.route.operation;
  const reader = endpoint.body ? readBody : undefined;
  const { answer, etag, isFromStandby } = await gate.serve(
    ctx.req,
    ctx.state.requestId,
    reader,
    async (context, raw) => {
      ctx.state.context = context;
      ctx.set(context.fields);
      return respond(ctx, endpoint, context, raw);
    },
  );
  ctx.set(appliedPreferences(isFromStandby));
  if (endpoint.operation.kind === 'query') prepareRead(ctx, etag);
  if (ctx.status !== 304) send(ctx, answer);
}

async function respond(
  ctx: RouterContext,
  endpoint: Endpoint,
  context: Identified,
  raw: Buffer,
): Promise<Answered> {
  const path: PathParameters = ctx.params;
  const key = endpoint.route.reply === 'created' ? ctx.headers['idempotency-key'] : undefined;
  const claim =
    key === undefined
      ? undefined
      : claimOf(context.principal, String(key), ctx.method, ctx.path, raw);
  const input = await inputOf(ctx, endpoint, path, raw).catch(async (error: unknown) => {
    if (claim) await requireUnused(endpoint.operation, context, claim, path.organization_id);
    throw error;
  });
  const render = (result: Parameters<typeof toAnswer>[1]) => toAnswer(endpoint, result, path);
  const once = claim && { claim, render };
  const versionOfSet: Context['versionOfSet'] = {};
  const conditional = {
    ...context,
    ifMatch: ifMatchOf(endpoint, ctx.headers['if-match']),
    versionOfSet,
  };
  const { result, replay, isFromStandby } = await execute(
    endpoint.operation,
    conditional,
    input,
    once,
  );
  if (replay)
    return {
      answer: { ...replay, headers: { ...replay.headers, 'Idempotency-Replayed': 'true' } },
    };
  if (result.errors) throw toRestError(endpoint, result, context);
  const answer = render(result);
  const isValidated = endpoint.operation.kind === 'query' && endpoint.route.reply !== 'page';
  return {
    answer,
    isFromStandby,
    ...(isValidated && { etag: etagOf(result, answer.body, versionOfSet.current) }),
  };
}

const inputOf = async (
  { querystring }: ParameterizedContext,
  endpoint: Endpoint,
  path: PathParameters,
  raw: Buffer,
) => readInput(endpoint, path, querystring, endpoint.body && parseBody(raw));

/** The versions that a change requires. A create has none. */
const ifMatchOf = ({ route }: Endpoint, header: string | undefined): Context['ifMatch'] =>
  header === undefined || !isConditional(route) ? undefined : versionsOf(header);

/**
 * Sets the validators of a read: an entity tag on all responses except pages, and 304 when it
 * matches.
 */
function prepareRead(ctx: ParameterizedContext, etag: string | undefined): void {
  ctx.set('Cache-Control', 'private, no-cache');
  if (etag === undefined) return;
  ctx.set('ETag', etag);
  if (isNamed(ctx.headers['if-none-match'], etag)) ctx.status = 304;
}

export function send(ctx: ParameterizedContext, { status, headers, body }: Answer): void {
  ctx.status = status;
  ctx.set(headers);
  if (status !== 204) ctx.body = body;
}

export const sendError = (ctx: ParameterizedContext, error: ApiError, requestId: string): void =>
  send(ctx, errorAnswer(error, requestId));
