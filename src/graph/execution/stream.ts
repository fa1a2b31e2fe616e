/**
 * POST /graphql/stream: subscriptions as server-sent events, in the graphql-sse protocol (distinct
 * connections mode). The handler of that package sets no event ids and bypasses our limits, costs
 * and errors, so this file implements the protocol.
 */
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import type { ParameterizedContext } from 'koa';
import { ApiError } from '../../errors.js';
import { parseBody, readBody } from '../../http/body.js';
import { toApiError } from '../../http/error-mapping.js';
import type { Gate, Identified } from '../../http/request-context.js';
import { observer } from '../../observer.js';
import { Follower, type Listen } from '../changes/follower.js';
import type { Cost } from '../cost/check.js';
import { graphqlDialect } from '../input/dialect.js';
import { readVariables } from '../input/variables.js';
import type { Operation } from './compile.js';
import { readDocument } from './document.js';
import { errorsOf, operationFor, priceOf, toResponse } from './perform.js';
import { UnknownQuery } from './persisted-queries.js';
import { type Documents, type GraphRequest, requestOf } from './request.js';

/**
 * Milliseconds between heartbeats. Each one checks the token and grant again, and detects missed
 * notifications.
 */
const heartbeat = 10_000;
/**
 * Milliseconds for which changes are collected before a read: bounds the database load per
 * subscriber.
 */
const gathering = 50;
/** Milliseconds after which a client that reads nothing is disconnected. */
const idleTimeoutMs = 60_000;
/** Maximum number of open streams per user and app in one process. */
const maxStreams = 20;

interface Subscription {
  readonly operation: Operation;
  readonly variables: Record<string, unknown>;
  readonly cost: Cost;
}

export class Streams {
  private readonly open = new Map<Follower, string>();
  private isClosed = false;

  constructor(
    private readonly gate: Gate,
    private readonly listen: Listen,
    private readonly documents: Documents,
  ) {}

  readonly handle = async (ctx: ParameterizedContext): Promise<void> => {
    const raw = await readBody(ctx.req);
    const context = await this.gate.admit(ctx.headers, ctx.state.requestId);
    ctx.state.context = context;
    ctx.set(context.fields);
    const request = requestOf(parseBody(raw));
    const follower = this.follow(context, ctx.get('last-event-id') || undefined);
    ctx.res.once('close', () => this.end(follower));
    ctx.res.setTimeout(idleTimeoutMs, () => ctx.res.destroy());
    ctx.type = 'text/event-stream';
    ctx.set({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    ctx.body = Readable.from(this.events(ctx, context, request, follower), { objectMode: false });
  };

  /** The number of open streams in this process. */
  get count(): number {
    return this.open.size;
  }

  /**
   * Ends all streams without a completion event and rejects new ones: clients resume on another
   * server.
   */
  close(): void {
    this.isClosed = true;
    for (const follower of this.open.keys()) this.end(follower);
  }

  private follow(
    { principal: { appId, userId } }: Identified,
    position: string | undefined,
  ): Follower {
    if (this.isClosed) throw new ApiError('service_unavailable', 'The server is stopping.');
    const caller = `${appId} ${userId}`;
    if ([...this.open.values()].filter((each) => each === caller).length >= maxStreams)
      throw new ApiError(
        'rate_limited',
        `You have ${maxStreams} streams open: close one first.`,
        undefined,
        60,
      );
    const follower = new Follower(this.listen, position);
    this.open.set(follower, caller);
    return follower;
  }

  private end(follower: Follower): void {
    this.open.delete(follower);
    follower.close();
  }

  /** Reads only after the previous event was consumed (backpressure). */
  private async *events(
    ctx: ParameterizedContext,
    first: Identified,
    request: GraphRequest,
    follower: Follower,
  ): AsyncGenerator<string> {
    try {
      const { operation, variables, cost } = this.prepare(first, request);
      ctx.state.operation = operation.name;
      for (let context = first; !follower.isClosed; context = await this.renew(ctx, context)) {
        const isFirst = context === first;
        const look = async (): Promise<{ result: ExecutionResult }> => ({
          result: await operation.run(context, variables, follower),
        });
        const { result } = await (observer ? observer.operation(operation, look) : look());
        if (isFirst || !follower.isIdle || result.errors)
          yield event('next', toResponse(result, context, cost), follower.position);
        else yield ':\n\n';
        if (!result.data) return yield event('complete');
        await follower.wait(heartbeat);
        if (!follower.hasMore) await delay(gathering);
      }
    } catch (thrown) {
      const { log, requestId } = first;
      const errors =
        thrown instanceof UnknownQuery
          ? [thrown.toError(requestId)]
          : errorsOf(toApiError(thrown, log, requestId), requestId);
      yield event('next', { errors });
      yield event('complete');
    } finally {
      this.end(follower);
    }
  }

  /** Authenticates again. The statement count continues. */
  private async renew(
    ctx: ParameterizedContext,
    { requestId, db }: Identified,
  ): Promise<Identified> {
    const context = await this.gate.renew(ctx.headers, requestId, db.statements);
    ctx.state.context = context;
    return context;
  }

  /**
   * @throws {ApiError} or a GraphQL error when the request has no subscription or exceeds a limit.
   */
  private prepare(context: Identified, request: GraphRequest): Subscription {
    const text = this.documents.textOf(request, context.principal);
    const document = readDocument(text, {
      isAnonymous: false,
      introspection: context.config.GRAPHQL_INTROSPECTION,
    });
    const operation = operationFor(document, text, request.operationName, false);
    if (operation.kind !== 'subscription')
      throw new ApiError('invalid_request', 'Send queries and mutations to /graphql.');
    const variables = readVariables(operation.variables, request.variables ?? {}, graphqlDialect);
    const { cost, refusal } = priceOf(operation, variables, context);
    if (refusal) throw refusal;
    operation.prepare();
    this.documents.register(request, context.principal);
    return { operation, variables, cost };
  }
}

/** @param id The value that the client sends as `Last-Event-ID` to resume. */
const event = (name: 'next' | 'complete', data?: object, id?: string): string =>
  `event: ${name}\n${id ? `id: ${id}\n` : ''}data: ${data ? JSON.stringify(data) : ''}\n\n`;
