/** The public GraphQL endpoint. */
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

/**
 * Runs one query.
 * @throws {Refusal}
 * @throws {SessionEnded}
 */
export async function ask<V, D>(
  operation: Operation<V, D>,
  variables: V,
  signal: AbortSignal,
): Promise<D> {
  try {
    return await answer(operation, variables, signal);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SessionEnded || signal.aborted) throw error;
    throw new Refusal(
      'Lanyard cannot be reached. Check the connection, and try again.',
      'UNREACHABLE',
    );
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
  const wait = retry_after === undefined ? '' : ` Try again in ${retry_after} seconds.`;
  throw new Refusal(`${[error.message, ...sentences].join(' ')}${wait}`, code, request_id);
}
