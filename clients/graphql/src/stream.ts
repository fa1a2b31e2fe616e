/** Subscriptions over server-sent events (the protocol of graphql-sse), which resume. */
import { LanyardGraphQLError } from './errors.js';
import { isTemporary, pauseBefore, post, readReply, type Server, sleep } from './transport.js';
import type { Operation, Reply } from './types.js';

export interface StreamEvent<Data> {
  readonly data: Data;
  /** The position after the event. Save it with its records, and pass it as `after` later. */
  readonly position: string;
}

/** An idle stream sends a comment every ten seconds. */
const idleTimeoutMs = 30_000;

export interface StreamOptions {
  readonly signal?: AbortSignal;
  /**
   * Called when the connection fails or is lost, with the reason; undefined when the server closed
   * it. The stream connects again, and its next event shows that it succeeded.
   */
  readonly onInterrupted?: (reason: unknown) => void;
}

/** The events of a subscription. A lost connection is opened again at the last position. */
export async function* streamEvents<V extends { readonly after?: string | null }, D>(
  server: Server,
  operation: Operation<V, D>,
  variables: V,
  { signal, onInterrupted }: StreamOptions = {},
): AsyncGenerator<StreamEvent<D>, void> {
  let after = variables.after;
  for (let failed = 0; ; ) {
    signal?.throwIfAborted();
    const idle = new AbortController();
    const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
    let isOpen = false;
    let reason: unknown;
    try {
      const headers = { accept: 'text/event-stream' };
      const place = { ...variables, ...(after && { after }) };
      const response = await post(server, '/graphql/stream', operation, place, headers, either);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!isStream || !response.body) throw errorOf(await readReply(response));
      isOpen = true;
      for await (const { event, id, data } of readEvents(response.body, idle)) {
        if (event === 'complete') return;
        const reply = JSON.parse(data) as Reply;
        if (reply.errors) throw errorOf(reply);
        failed = 0;
        after = id || after;
        yield { data: reply.data as D, position: after ?? '' };
      }
    } catch (error) {
      reason = error;
    } finally {
      idle.abort();
    }
    failed++;
    const isRepeatable = (error: unknown) =>
      isTemporary(error) || (isOpen && temporaryEnds.has((error as LanyardGraphQLError).code));
    const wait = pauseBefore(reason, failed, signal, isRepeatable);
    onInterrupted?.(reason);
    await sleep(wait, signal);
  }
}

/** Codes that end an open stream, but not the next: an expired token is replaced, for example. */
const temporaryEnds = new Set(['UNAUTHENTICATED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']);

const errorOf = ({ errors = [], data }: Reply): LanyardGraphQLError =>
  new LanyardGraphQLError(errors, data);

interface ServerEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Reads the events of a body. Aborts when nothing arrives for a while. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  idle: AbortController,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const timer = setTimeout(() => idle.abort(), idleTimeoutMs);
    const { value, done } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
          .join('\n');
      const event = field('event');
      if (event !== '') yield { event, id: field('id'), data: field('data') };
    }
  }
}
