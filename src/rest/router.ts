/** The REST layer: finds the row, reads the input, runs the operation, replies. */
import findMyWay, { type HTTPMethod } from 'find-my-way';
import type { ParameterizedContext } from 'koa';
import { parseBody, readBody } from '../edge/body.js';
import type { Gate, Identified } from '../edge/gate.js';
import { appliedPreferences } from '../edge/prefer.js';
import { ApiError } from '../errors.js';
import { execute } from '../graph/execute.js';
import { type Answer, claimOf } from '../graph/idempotency.js';
import { readInput } from './input.js';
import type { Endpoint } from './operations.js';
import { errorAnswer, etagOf, isNamed, toAnswer, toRestError } from './reply.js';

const noBody = Buffer.alloc(0);

type PathParameters = Readonly<Record<string, string | undefined>>;

interface Answered {
  readonly answer: Answer;
  readonly isFromStandby?: boolean | undefined;
}

export class RestRouter {
  private readonly router = findMyWay({ caseSensitive: true, maxParamLength: 1000 });
  private readonly methods = new Set<HTTPMethod>(['HEAD', 'OPTIONS']);

  constructor(
    private readonly gate: Gate,
    endpoints: readonly Endpoint[],
  ) {
    for (const endpoint of endpoints) {
      const { method, path } = endpoint.route;
      this.methods.add(method);
      const pattern = path.replace(/\{(\w+)\}/g, ':$1');
      this.router.on(method === 'GET' ? ['GET', 'HEAD'] : method, pattern, () => {}, endpoint);
    }
  }

  /** Answers a request under /v1. */
  async handle(ctx: ParameterizedContext, requestId: string): Promise<void> {
    const method = ctx.method as HTTPMethod;
    const found = this.router.find(method, ctx.path);
    if (!found) return this.refuse(ctx);
    const endpoint = found.store as Endpoint;
    ctx.state.route = endpoint.route.path;
    ctx.state.operation = endpoint.route.operation;
    let body: Promise<Buffer> | undefined;
    const { answer, isFromStandby } = await this.gate.serve(ctx.headers, requestId, async (context) => {
      ctx.state.context = context;
      ctx.set(context.fields);
      // It comes only once.
      if (endpoint.body) body ??= readBody(ctx.req);
      return this.answer(ctx, endpoint, found.params, context, (await body) ?? noBody);
    });
    ctx.set(appliedPreferences(isFromStandby));
    if (endpoint.operation.kind === 'query') prepareRead(ctx, endpoint, answer);
    if (ctx.status !== 304) send(ctx, answer);
  }

  private async answer(
    ctx: ParameterizedContext,
    endpoint: Endpoint,
    path: PathParameters,
    context: Identified,
    raw: Buffer,
  ): Promise<Answered> {
    const input = readInput(endpoint, path, ctx.querystring, endpoint.body && parseBody(raw));
    const key = endpoint.route.reply === 'created' ? ctx.headers['idempotency-key'] : undefined;
    const render = (result: Parameters<typeof toAnswer>[1]) => toAnswer(endpoint, result, path);
    const once = key === undefined ? undefined : { claim: claimOf(context.principal, String(key), ctx.method, ctx.path, raw), render };
    const { result, replay, isFromStandby } = await execute(endpoint.operation, context, input, once);
    if (replay) return { answer: { ...replay, headers: { ...replay.headers, 'Idempotency-Replayed': 'true' } } };
    if (result.errors) throw toRestError(endpoint, result, context);
    return { answer: render(result), isFromStandby };
  }

  /** A path that another method has: 405, or for OPTIONS the methods. Any other: 404. */
  private refuse(ctx: ParameterizedContext): void {
    const allowed = [...this.methods].filter((method) => this.router.find(method, ctx.path));
    if (allowed.length === 0) throw new ApiError('not_found', 'There is nothing at this path; /v1/openapi.json lists what there is.');
    ctx.set('Allow', [...allowed, 'OPTIONS'].join(', '));
    if (ctx.method !== 'OPTIONS') throw new ApiError('method_not_allowed');
    ctx.status = 204;
  }
}

/** What lets a client keep a read: a validator on all but pages, and 304 when the client has it already. */
function prepareRead(ctx: ParameterizedContext, { route }: Endpoint, { body }: Answer): void {
  ctx.set('Cache-Control', 'private, no-cache');
  if (route.reply === 'page') return;
  const etag = etagOf(body);
  ctx.set('ETag', etag);
  if (isNamed(ctx.headers['if-none-match'], etag)) ctx.status = 304;
}

export function send(ctx: ParameterizedContext, { status, headers, body }: Answer): void {
  ctx.status = status;
  ctx.set(headers);
  if (status !== 204) ctx.body = body;
}

export const sendError = (ctx: ParameterizedContext, error: ApiError, requestId: string): void => send(ctx, errorAnswer(error, requestId));
