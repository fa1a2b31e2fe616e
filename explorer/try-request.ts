/** Requests of the API reference: from the OpenAPI document and the fields of a form. */
import { accessToken } from '../dashboard/session.js';
import type { OpenApi, Operation, Parameter } from '../src/reference/openapi.js';
import { refName } from '../src/reference/openapi.js';

/** An operation as the form needs it. */
export interface Described {
  /** Upper case. */
  readonly method: string;
  /** The template: `/v1/certifications/{certification_id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The example of the body; undefined without a body. */
  readonly body: string | undefined;
}

/** By the name of the operation in the reference: `GetMe`. */
export async function readDescription(): Promise<ReadonlyMap<string, Described>> {
  const response = await fetch('/v1/openapi.json', { credentials: 'omit' });
  const { paths, components } = (await response.json()) as OpenApi;
  const parameterOf = (each: Operation['parameters'][number]): Parameter =>
    '$ref' in each ? (components.parameters[refName(each.$ref)] as Parameter) : each;
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const example = operation.requestBody?.content['application/json'].example;
        const described: Described = {
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters.map(parameterOf),
          body: example === undefined ? undefined : JSON.stringify(example, null, 2),
        };
        return [nameOf(operation), described] as const;
      }),
    ),
  );
}

/** `getMe` → `GetMe`. */
const nameOf = ({ operationId }: Operation & { readonly operationId?: string }): string =>
  (operationId ?? '').replace(/^./, (letter) => letter.toUpperCase());

/** The fields of the form: parameters by `in` and name, and the body. */
export type Fields = Readonly<Record<string, string>>;
export const fieldOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;
export const bodyField = 'body';

export interface Reply {
  readonly request: string;
  readonly status: number;
  readonly statusText: string;
  readonly milliseconds: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON is indented. */
  readonly body: string;
  readonly isJson: boolean;
}

/** Sends the request once, with the token of the session. @throws {SessionEnded} or TypeError. */
export async function send(
  { method, path, parameters, body }: Described,
  fields: Fields,
): Promise<Reply> {
  const given = parameters.flatMap((each) => {
    const value = fields[fieldOf(each)]?.trim();
    return value ? [{ ...each, value }] : [];
  });
  const address = new URL(location.origin);
  address.pathname = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given.find((each) => each.in === 'path' && each.name === name)?.value ?? ''),
  );
  for (const each of given)
    if (each.in === 'query') address.searchParams.append(each.name, each.value);
  const headers = new Headers();
  for (const each of given) if (each.in === 'header') headers.set(each.name, each.value);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const sendWith = (token: string) => {
    headers.set('authorization', `Bearer ${token}`);
    return fetch(address, {
      method,
      // The token alone authorizes the request, as in every app.
      credentials: 'omit',
      cache: 'no-store',
      headers,
      ...(body !== undefined && { body: fields[bodyField] ?? '' }),
    });
  };
  const token = await accessToken();
  const start = performance.now();
  let response = await sendWith(token);
  // The token was revoked or expired, and nothing was done: one retry with a new one.
  if (response.status === 401) response = await sendWith(await accessToken(token));
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    request: `${method} ${address}`,
    status: response.status,
    statusText: response.statusText,
    milliseconds: Math.round(performance.now() - start),
    headers: [...response.headers],
    body: isJson && text ? JSON.stringify(JSON.parse(text), null, 2) : text,
    isJson,
  };
}
