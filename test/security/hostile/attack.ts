/** A request that means harm, as the bytes that go out, and the status that is right for it. */

/** Who attacks: somebody with a good token, and a browser that has the sign-in page open. */
export interface Attacker {
  readonly host: string;
  readonly token: string;
  /** Path of an organization that the token reaches. */
  readonly organization: string;
  /** A qualification of the organization. */
  readonly qualification: string;
  readonly cookie: string;
  readonly csrf: string;
}

export interface Attack {
  readonly name: string;
  readonly bytes: (attacker: Attacker) => Uint8Array;
  /** 0: the connection closes without an answer. */
  readonly status: number;
  /** Takes the server some work: sent over and over while its memory is watched. */
  readonly isHeavy?: boolean;
}

export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** In place of a token: none. */
export const anonymous = 'Authorization: none';

/** A request with a good Host and a good token, where the fields don't say another. */
export function request(
  method: string,
  target: string,
  { host, token }: Attacker,
  fields: readonly string[] = [],
  body?: string | Uint8Array,
) {
  const has = (name: string) => fields.some((field) => field.toLowerCase().startsWith(`${name}:`));
  const own = [
    ...(has('host') ? [] : [`Host: ${host}`]),
    ...(has('authorization') ? [] : [`Authorization: Bearer ${token}`]),
  ];
  const content = body === undefined ? new Uint8Array() : Buffer.from(body as string);
  const framed =
    body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [`Content-Length: ${content.length}`];
  return Buffer.concat([
    bytesOf(
      `${[`${method} ${target} HTTP/1.1`, ...own, ...fields.filter((field) => field !== anonymous), ...framed].join('\r\n')}\r\n\r\n`,
    ),
    content,
  ]);
}

const json = 'Content-Type: application/json';

export const postJson = (
  target: string,
  attacker: Attacker,
  body: string | Uint8Array,
  ...fields: string[]
) => request('POST', target, attacker, [json, ...fields], body);

/** A GraphQL request by POST. */
export const ask = (attacker: Attacker, query: string, variables: object = {}) =>
  postJson('/graphql', attacker, JSON.stringify({ query, variables }));

export const times = (count: number, each: (index: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, index) => each(index)).join(between);
