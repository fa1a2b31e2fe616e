/** The REST router: matches the route, reads the input, runs the operation and replies. */
import type { Router, RouterContext } from '@koa/router';
import { type ExecutionResult, getNullableType, isScalarType } from 'graphql';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Context } from '../context.js';
import { type ApiError, invalid, type Problems } from '../errors.js';
import { execute, requireUnused } from '../graph/execution/execute.js';
import { type Answer, claimOf } from '../graph/execution/idempotency.js';
import { restDialect } from '../graph/input/dialect.js';
import { isFull, readVariables, type Variable } from '../graph/input/variables.js';
import { parseBody, readBody } from '../http/body.js';
import { codingFor, encoded } from '../http/compression.js';
import { appliedPreferences } from '../http/prefer.js';
import type { Guard } from '../http/rate-limit.js';
import type { Gate, Identified } from '../http/request-context.js';
import { createRouter, patternOf } from '../http/router.js';
import type { Endpoint } from './operations.js';
import { etagIn, etagOf, isNamed, versionsOf } from './preconditions.js';
import { errorAnswer, toAnswer, toRestError } from './reply.js';

type PathParameters = Readonly<Record<string, string | undefined>>;

interface Answered {
  readonly answer: Answer;
  /** The entity tag of a read of one record or a complete set. */
  readonly etag?: string | undefined;
  /** Whether the client has the response with this tag already. */
  readonly isUnchanged?: boolean;
  readonly isFromStandby?: boolean | undefined;
}

/**
 * A router with a route for each endpoint.
 * @param limit Runs before every route.
 */
export function createRestRouter(gate: Gate, endpoints: readonly Endpoint[], limit: Guard): Router {
  const router = createRouter();
  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route;
    const serve = handlerOf(gate, endpoint);
    const handle: Middleware = (ctx) => limit(ctx as RouterContext, serve);
    router.register(patternOf(path), [method], handle, { name: path });
  }
  return router;
}

function handlerOf(gate: Gate, endpoint: Endpoint): (ctx: RouterContext) => Promise<void> {
  const reader = endpoint.body ? readBody : undefined;
  const isRead = endpoint.operation.kind === 'query';
  return async (ctx) => {
    ctx.state.operation = endpoint.route.operation;
    ctx.state.route = endpoint.route.path;
    const { answer, etag, isUnchanged, isFromStandby } = await gate.serve(
      ctx.req,
      ctx.state.requestId,
      reader,
      async (context, raw) => inCoding(ctx, await respond(ctx, endpoint, context, raw)),
    );
    if (isFromStandby) ctx.set(appliedPreferences(isFromStandby));
    if (isRead) ctx.set('Cache-Control', 'private, no-cache');
    if (etag !== undefined) ctx.set('ETag', etag);
    if (isUnchanged) ctx.status = 304;
    else send(ctx, answer);
  };
}

async function respond(
  ctx: RouterContext,
  endpoint: Endpoint,
  context: Identified,
  raw: Buffer,
): Promise<Answered> {
  ctx.state.context = context;
  ctx.set(context.fields);
  const path: PathParameters = ctx.params;
  const key = endpoint.route.reply === 'created' ? ctx.headers['idempotency-key'] : undefined;
  const claim =
    key === undefined
      ? undefined
      : claimOf(context.principal, String(key), ctx.method, ctx.path, raw);
  let input: Record<string, unknown>;
  try {
    input = readInput(endpoint, path, ctx.querystring, endpoint.body && parseBody(raw));
  } catch (error) {
    if (claim) await requireUnused(endpoint.operation, context, claim, path.organization_id);
    throw error;
  }
  const once = claim && {
    claim,
    render: (result: ExecutionResult) => toAnswer(endpoint, result, path),
  };
  const versionOfSet: Context['versionOfSet'] = {};
  const ifMatch = endpoint.isConditional ? ctx.headers['if-match'] : undefined;
  const conditional = {
    ...context,
    ifMatch: ifMatch === undefined ? undefined : versionsOf(ifMatch),
    versionOfSet,
  };
  const { result, replay, stored, isFromStandby } = await execute(
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
  const answer = stored ?? toAnswer(endpoint, result, path);
  const isValidated = endpoint.operation.kind === 'query' && endpoint.route.reply !== 'page';
  return {
    answer,
    isFromStandby,
    ...(isValidated && { etag: etagOf(result, answer.body, versionOfSet.current) }),
  };
}

/** @throws {ApiError} `validation_error` with all problems of path, query and body. */
export function readInput(
  endpoint: Endpoint,
  path: Readonly<Record<string, string | undefined>>,
  query: string,
  body: unknown,
): Record<string, unknown> {
  const parameters = query === '' ? undefined : readQuery(endpoint.queryVariables, query);
  const given: Record<string, unknown> = { ...path, ...parameters };
  if (endpoint.body) given[endpoint.body.name] = body;
  return readVariables(endpoint.operation.variables, given, restDialect);
}

/** Rejects unknown parameters: an ignored filter would return everything. */
function readQuery(variables: readonly Variable[], query: string): Record<string, unknown> {
  const problems: Problems = Object.create(null);
  const read: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    if (isFull(problems)) break;
    const variable = variables.find((each) => each.name === name);
    if (!variable)
      problems[name] = [
        `is not a known parameter; known are ${variables.map((each) => each.name).join(', ') || 'none'}`,
      ];
    else if (name in read) problems[name] = ['must be given only once'];
    else read[name] = isInteger(variable) && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return read;
}

function isInteger({ type }: Variable): boolean {
  const named = getNullableType(type);
  return (
    isScalarType(named) &&
    (named.extensions.jsonSchema as { type?: string } | undefined)?.type === 'integer'
  );
}

/** Compresses a response within the turn of its caller, unless the client has it. */
async function inCoding(ctx: RouterContext, answered: Answered): Promise<Answered> {
  const { answer, etag } = answered;
  const coding = codingFor(ctx.req, answer.body);
  if (etag === undefined) return { ...answered, answer: await encoded(answer, coding) };
  const tag = etagIn(etag, coding);
  const isUnchanged = isNamed(ctx.headers['if-none-match'], tag);
  return {
    ...answered,
    etag: tag,
    isUnchanged,
    answer: isUnchanged ? answer : await encoded(answer, coding),
  };
}

export function send(ctx: ParameterizedContext, { status, headers, body }: Answer): void {
  ctx.status = status;
  ctx.set(headers);
  if (status !== 204) ctx.body = body;
}

export const sendError = (ctx: ParameterizedContext, error: ApiError, requestId: string): void =>
  send(ctx, errorAnswer(error, requestId));
