/** Requests of one person through one app, and what tests say of the responses. */
import type { Response, TestApp } from './app.js';

type Send = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Response>;

export interface Client {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  readonly post: Send;
  readonly patch: Send;
  readonly put: Send;
  readonly delete: (path: string, headers?: Record<string, string>) => Promise<Response>;
}

/** @param clientId Left out: the first-party app with all scopes. */
export function clientOf(app: TestApp, email: string, clientId?: string): Client {
  const send =
    (method: string): Send =>
    async (path, body, headers = {}) =>
      app.rest(method, path, { token: await app.token(email, clientId), body, headers });
  const [get, remove] = [send('GET'), send('DELETE')];
  return {
    get: (path, headers) => get(path, undefined, headers),
    post: send('POST'),
    patch: send('PATCH'),
    put: send('PUT'),
    delete: (path, headers) => remove(path, undefined, headers),
  };
}

/**
 * Expects an error of the one table: status, code, details (none, when left out) and a request id
 * that stands in the header too.
 */
export function expectError(
  response: Response,
  status: number,
  code: string,
  details?: object,
): void {
  expect([response.text, response.status]).toStrictEqual([response.text, status]);
  const { message, request_id, ...rest } = response.body.error;
  // A detail may be named as an object's own property, `constructor` among them, which
  // toStrictEqual takes for its type.
  expect(rest).toEqual({ code, ...(details && { details }) });
  expect(message.length).toBeGreaterThan(10);
  expect(request_id).toBe(response.headers.get('x-request-id'));
  expect(response.headers.get('cache-control')).toBe('no-store');
}

/**
 * Expects 422 for exactly these paths, in the client's own names, each with exactly these
 * sentences.
 */
export const expectInvalid = (response: Response, problems: Record<string, string>): void =>
  expectError(
    response,
    422,
    'validation_error',
    Object.fromEntries(Object.entries(problems).map(([path, sentence]) => [path, [sentence]])),
  );

/** Expects a status, and gives the record or records of the envelope. */
export function dataOf(response: Response, status = 200) {
  expect([response.text, response.status]).toStrictEqual([response.text, status]);
  return response.body.data;
}

/** Expects the times to be instants as the wire has them: UTC with six fraction digits. */
export function expectStamps(...texts: string[]): void {
  for (const text of texts) expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
}

export const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
