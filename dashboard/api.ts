/** The public GraphQL endpoint. */
import { t } from './language.js';
import { accessToken, end, SessionEnded } from './session.js';

/** A document, with the types of its variables and its result. */
export interface Operation<Variables, Data> {
  readonly name: string;
  readonly text: string;
  /** Type information only; never set. */
  readonly types?: (variables: Variables) => Data;
}

/** A failed query; the message is for people. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** `FORBIDDEN` and the like; `UNREACHABLE` without a response. */
    readonly code: string,
    /** Identifies the log line for the operator. */
    readonly requestId?: string | undefined,
    /** Seconds after which the query may succeed. */
    readonly retryAfter?: number | undefined,
  ) {
    super(message);
  }
}

interface Reply {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly request_id?: string;
      readonly retry_after?: number;
      readonly details?: Readonly<Record<string, readonly string[]>>;
    };
  }[];
}

/** How often, and at most how many seconds each time, a query waits for its turn. */
const maxWaits = 3;
const maxWaitSeconds = 3;

/**
 * Runs one query. Repeats it when the server asks for a short wait, as for too many requests at a
 * time.
 * @throws {Refusal}
 * @throws {SessionEnded}
 */
export async function ask<V, D>(
  operation: Operation<V, D>,
  variables: V,
  signal: AbortSignal,
): Promise<D> {
  for (let waits = 0; ; waits++) {
    try {
      return await attempt(operation, variables, signal);
    } catch (error) {
      const seconds = error instanceof Refusal ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > maxWaitSeconds || waits === maxWaits) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      signal.throwIfAborted();
    }
  }
}

async function attempt<V, D>(
  operation: Operation<V, D>,
  variables: V,
  signal: AbortSignal,
): Promise<D> {
  try {
    return await answer(operation, variables, signal);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SessionEnded || signal.aborted) throw error;
    throw new Refusal(t.errors.unreachable, 'UNREACHABLE');
  }
}

/** Posts a GraphQL request with the access token of the session. @throws {SessionEnded} */
export async function post(
  body: string,
  signal?: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const send = (token: string) =>
    fetch('/graphql', {
      method: 'POST',
      credentials: 'omit',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      signal: signal ?? null,
    });
  const token = await accessToken();
  let response = await send(token);
  // The token was revoked, or this machine's clock is wrong: retries with one new token.
  if (response.status === 401) response = await send(await accessToken(token));
  if (response.status === 401) throw end(new Error('The token is refused.'));
  return response;
}

async function answer<V, D>(
  { name, text }: Operation<V, D>,
  variables: V,
  signal: AbortSignal,
): Promise<D> {
  const response = await post(
    JSON.stringify({ operationName: name, query: text, variables }),
    signal,
  );
  const { data, errors } = (await response.json()) as Reply;
  const [error] = errors ?? [];
  if (!error) return data as D;
  const { code = '', request_id, retry_after, details } = error.extensions ?? {};
  const sentences = Object.values(details ?? {}).flat();
  const known = t.errors.byCode[code];
  const said = known ? [known] : [error.message, ...sentences];
  const wait = retry_after === undefined ? [] : [t.errors.wait(retry_after)];
  throw new Refusal([...said, ...wait].join(' '), code, request_id, retry_after);
}
