/** Clients that follow lists, as the documentation tells them to. */
import type { TestApp } from './app.js';
import { dataOf } from './client.js';

export interface Item {
  readonly id: string;
  readonly updated_at: string;
}

export interface Page {
  readonly data: readonly Item[];
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null };
}

export interface Query {
  readonly limit?: number;
  readonly cursor?: string;
  readonly updated_after?: string;
}

/** Reads one page of a list. */
export type Read = (query: Query) => Promise<Page>;

export function pathWith(path: string, query: object): string {
  const parameters = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return path + (path.includes('?') ? '&' : '?') + parameters.join('&');
}

/** A list of the REST API, as one person sees it. */
export function readerOf(app: TestApp, path: string, email: string): Read {
  return async (query) => {
    const response = await app.rest('GET', pathWith(path, query), {
      token: await app.token(email),
    });
    dataOf(response);
    return response.body;
  };
}

/** The pages from a position to the end, by cursor. */
export async function* walk(read: Read, query: Query): AsyncGenerator<Page> {
  for (let cursor: string | null = query.cursor ?? null; ; ) {
    const page: Page = await read(cursor === null ? query : { ...query, cursor });
    yield page;
    cursor = page.page.next_cursor;
    if (cursor === null) return;
  }
}
