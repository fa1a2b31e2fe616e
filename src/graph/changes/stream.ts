/**
 * POST /graphql/stream: subscriptions as server-sent events, by the protocol of graphql-sse («distinct connections»), which its client and others speak. The
 * handler of that package gives events no ids, and would run operations past our own limits, costs and errors; so the protocol, ten lines, is here.
 */
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type ExecutionResult, parse, validate } from 'graphql';
import type { ParameterizedContext } from 'koa';
import { parseBody, readBody } from '../../edge/body.js';
import { toApiError } from '../../edge/failure.js';
import type { Gate, Identified } from '../../edge/gate.js';
import { ApiError } from '../../errors.js';
import { observer } from '../../telemetry/observer.js';
import type { Operation } from '../compile.js';
import { type Cost, costOf, tooCostly } from '../cost/check.js';
import { graphqlDialect } from '../dialect.js';
import { readVariables } from '../input.js';
import { checkText, maxTokens } from '../limits.js';
import { extensionsOf, operationFor, toResponse } from '../perform.js';
import { type GraphRequest, requestOf } from '../request.js';
import { schema } from '../schema.js';
import type { TrustedDocuments } from '../trusted.js';
import { Follower, type Listen } from './follower.js';

/** Milliseconds between signs of life. At each the token and its grant are looked at again, and what was not heard of is found. */
const heartbeat = 10_000;
/** Milliseconds in which changes gather before they are read: what a subscriber costs the database at the most. */
const gathering = 50;
/** Milliseconds that a reader may take nothing in. */
const patience = 60_000;
/** Streams that one person may have open through one app, in one process. */
const mostStreams = 20;

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
    private readonly trusted: TrustedDocuments | undefined,
  ) {}

  readonly handle = async (ctx: ParameterizedContext, requestId: string): Promise<void> => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST');
      throw new ApiError('method_not_allowed');
    }
    const raw = await readBody(ctx.req);
    const context = await this.gate.admit(ctx.headers, requestId);
    ctx.state.context = context;
    ctx.set(context.fields);
    const request = requestOf(parseBody(raw));
    const follower = this.follow(context, ctx.get('last-event-id') || undefined);
    ctx.res.once('close', () => this.end(follower));
    ctx.res.setTimeout(patience, () => ctx.res.destroy());
    ctx.type = 'text/event-stream';
    ctx.set({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' });
    ctx.body = Readable.from(this.events(ctx, context, request, follower), { objectMode: false });
  };

  /** How many are open in this process. */
  get count(): number {
    return this.open.size;
  }

  /** Ends all streams, unfinished, and opens no more: their readers resume elsewhere. */
  close(): void {
    this.isClosed = true;
    for (const follower of this.open.keys()) this.end(follower);
  }

  private follow({ principal: { appId, userId } }: Identified, position: string | undefined): Follower {
    if (this.isClosed) throw new ApiError('service_unavailable', 'The server is stopping.');
    const caller = `${appId} ${userId}`;
    if ([...this.open.values()].filter((each) => each === caller).length >= mostStreams)
      throw new ApiError('rate_limited', `You have ${mostStreams} streams open: close one first.`, undefined, 60);
    const follower = new Follower(this.listen, position);
    this.open.set(follower, caller);
    return follower;
  }

  private end(follower: Follower): void {
    this.open.delete(follower);
    follower.close();
  }

  /** Reads only once what it gave before was taken. */
  private async *events(ctx: ParameterizedContext, first: Identified, request: GraphRequest, follower: Follower): AsyncGenerator<string> {
    try {
      const { operation, variables, cost } = this.prepare(first, request);
      ctx.state.operation = operation.name;
      for (let context = first; !follower.isClosed; context = await this.renew(ctx, context)) {
        const isFirst = context === first;
        const look = async (): Promise<{ result: ExecutionResult }> => ({ result: await operation.run(context, variables, follower) });
        const { result } = await (observer ? observer.operation(operation, look) : look());
        if (isFirst || !follower.isIdle || result.errors) yield event('next', toResponse(result, context, cost), follower.position);
        else yield ':\n\n';
        if (!result.data) return yield event('complete');
        await follower.wait(heartbeat);
        if (!follower.hasMore) await delay(gathering);
      }
    } catch (thrown) {
      const error = toApiError(thrown, first.log, first.requestId);
      yield event('next', { errors: [{ message: error.message, extensions: extensionsOf(error, first.requestId) }] });
      yield event('complete');
    } finally {
      this.end(follower);
    }
  }

  /** Looks again at who is asking; statements are counted on. */
  private async renew(ctx: ParameterizedContext, { requestId, db }: Identified): Promise<Identified> {
    const context = await this.gate.renew(ctx.headers, requestId, db.statements);
    ctx.state.context = context;
    return context;
  }

  /** @throws {ApiError} or a GraphQL error, when the request asks for no subscription, or for too much. */
  private prepare(context: Identified, request: GraphRequest): Subscription {
    const text = this.trusted ? this.trusted.textOf(request) : (request.query ?? '');
    checkText(text);
    const document = parse(text, { maxTokens });
    const [problem] = validate(schema, document);
    if (problem) throw problem;
    const operation = operationFor(document, text, request.operationName);
    if (operation.kind !== 'subscription') throw new ApiError('invalid_request', 'Send queries and mutations to /graphql.');
    const variables = readVariables(operation.variables, request.variables ?? {}, graphqlDialect);
    const cost = { requested: costOf(operation.plan, variables), limit: context.config.GRAPHQL_COST_LIMIT };
    if (cost.requested > cost.limit) throw tooCostly(operation.plan, variables, cost);
    return { operation, variables, cost };
  }
}

/** @param id What the reader sends as `Last-Event-ID` when it comes back. */
const event = (name: 'next' | 'complete', data?: object, id?: string): string =>
  `event: ${name}\n${id ? `id: ${id}\n` : ''}data: ${data ? JSON.stringify(data) : ''}\n\n`;
