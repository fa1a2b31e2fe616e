/** A reader of server-sent events that shows them as they come, ids and signs of life too. */
import type { Body } from './app.js';

export interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Body;
}

export interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; undefined when the stream has ended. Signs of life are events named `:`. */
  next(): Promise<StreamEvent | undefined>;
  /** Breaks the connection off. */
  stop(): void;
}

export async function openStream(
  base: string,
  token: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${base}/graphql/stream`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const events = parse(response);
  return {
    status: response.status,
    headers: response.headers,
    next: async () => (await events.next()).value ?? undefined,
    stop: () => abort.abort(),
  };
}

async function* parse({ body }: Response): AsyncGenerator<StreamEvent, undefined> {
  let text = '';
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield toEvent(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
  return undefined;
}

function toEvent(text: string): StreamEvent {
  const fields = Object.fromEntries(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return {
    event: fields.event ?? ':',
    id: fields.id,
    data: fields.data ? JSON.parse(fields.data) : undefined,
  };
}
