/**
 * The operations of the API, typed by the OpenAPI document: a path, what goes in, what comes out.
 */
import createOpenApiClient, {
  type Client,
  type ParamsOption,
  type RequestBodyOption,
} from 'openapi-fetch';
import { errorOf } from './errors.js';
import type { paths } from './schema.js';
import type { TokenSource } from './tokens.js';
import { createFetch, defaultLimits, type Limits } from './transport.js';

export interface LanyardOptions extends Partial<Limits> {
  /** Where the API is, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: TokenSource;
  /** In place of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** What an operation takes. */
export type InputOf<P extends keyof paths, M extends Method> = ParamsOption<paths[P][M]> &
  RequestBodyOption<paths[P][M]> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  };

/** The body of an operation's success; undefined where it has none. */
export type OutputOf<P extends keyof paths, M extends Method> = paths[P][M] extends {
  responses: infer R;
}
  ? BodyOf<R[keyof R & (200 | 201 | 204)]>
  : never;
type BodyOf<Answer> = Answer extends { content: { 'application/json': infer Body } }
  ? Body
  : undefined;

/** The second argument may be left out where nothing in it is required. */
export type Arguments<Input> = object extends Input ? [input?: Input] : [input: Input];

/**
 * @throws {LanyardError} for every answer that isn't a success, and when there is none; the reason
 * of the signal, when it aborts.
 */
export type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...input: Arguments<InputOf<P, M>>
) => Promise<OutputOf<P, M>>;

export interface Lanyard {
  readonly get: Call<'get'>;
  /**
   * Sends an Idempotency-Key of its own unless `headers` has one: a lost answer is asked for again,
   * and nothing is made twice.
   */
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /**
   * The same without the exceptions: for each answer `data` or `error`, and the `response` with its
   * status and headers.
   */
  readonly raw: Client<paths>;
}

export function createLanyard({
  baseUrl,
  token,
  fetch = globalThis.fetch,
  ...limits
}: LanyardOptions): Lanyard {
  const raw = createOpenApiClient<paths>({
    baseUrl,
    fetch: createFetch(token, fetch, { ...defaultLimits, ...limits }),
  });
  const call = <M extends Method>(method: M) =>
    (async (path: never, input?: never) => {
      const { data, error, response } = await raw.request(method, path, input as never);
      if (!response.ok) throw errorOf(response, error);
      return data;
    }) as unknown as Call<M>;
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    raw,
  };
}
