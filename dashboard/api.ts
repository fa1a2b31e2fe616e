/** The public GraphQL endpoint. */
import { accessToken, end, SessionEnded } from './session.js';

/** A document, with the types of its variables and its answer. */
export interface Operation<Variables, Data> {
  readonly name: string;
  readonly text: string;
  /** For the types alone: never there. */
  readonly types?: (variables: Variables) => Data;
}

/** Why a question has no answer; the message is for people. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** `FORBIDDEN` and the like; `UNREACHABLE` when nothing came back. */
    readonly code: string,
    /** With which the operator finds it in the log. */
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
 * Asks one question.
 * @throws {Refusal} @throws {SessionEnded}
 */
export async function ask<V, D>(operation: Operation<V, D>, variables: V, signal: AbortSignal): Promise<D> {
  try {
    return await answer(operation, variables, signal);
  } catch (error) {
    if (error instanceof Refusal || error instanceof SessionEnded || signal.aborted) throw error;
    throw new Refusal('Lanyard cannot be reached. Check the connection, and try again.', 'UNREACHABLE');
  }
}

async function answer<V, D>({ name, text }: Operation<V, D>, variables: V, signal: AbortSignal): Promise<D> {
  const body = JSON.stringify({ operationName: name, query: text, variables });
  const send = (token: string) =>
    fetch('/graphql', { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body, signal });
  const token = await accessToken();
  let response = await send(token);
  // Revoked before its time, or the clock of this machine is wrong: one new token, and no more.
  if (response.status === 401) response = await send(await accessToken(token));
  if (response.status === 401) throw end(new Error('The token is refused.'));
  const { data, errors } = (await response.json()) as Reply;
  const [error] = errors ?? [];
  if (!error) return data as D;
  const { code = '', request_id, retry_after, details } = error.extensions ?? {};
  const sentences = Object.values(details ?? {}).flat();
  const wait = retry_after === undefined ? '' : ` Try again in ${retry_after} seconds.`;
  throw new Refusal(`${[error.message, ...sentences].join(' ')}${wait}`, code, request_id);
}
