/** Lists, page by page or record by record. */
import type { InputOf, Lanyard, OutputOf, PathOf } from './client.js';
import type { Page } from './schema.js';

/** The paths of lists that come in pages. */
export type ListPath = {
  [P in PathOf<'get'>]: OutputOf<P, 'get'> extends { data: unknown[]; page: Page } ? P : never;
}[PathOf<'get'>];

/** What a list takes; paths without parameters need none. */
export type ListInput<P extends ListPath> = InputOf<P, 'get'>;

export type RecordOf<P extends ListPath> =
  OutputOf<P, 'get'> extends { data: (infer R)[] } ? R : never;

export interface PageOf<P extends ListPath> {
  readonly data: RecordOf<P>[];
  readonly page: Page;
}

/** As large as pages get: whoever wants all of a list wants few of them. */
const limit = 200;

/** One page. @param query Takes the place of what `input` has of the same name. */
export function readPage<P extends ListPath>(
  lanyard: Lanyard,
  path: P,
  input: ListInput<P> | undefined,
  query: object,
): Promise<PageOf<P>> {
  const { params, ...rest } = (input ?? {}) as { params?: { query?: object } };
  const merged = { ...rest, params: { ...params, query: { limit, ...params?.query, ...query } } };
  // The same function for every list, which the types of one list at a time can't say.
  return (lanyard.get as unknown as (path: P, input: object) => Promise<PageOf<P>>)(path, merged);
}

/** The pages of a list, to its end. */
export async function* pages<P extends ListPath>(
  lanyard: Lanyard,
  path: P,
  input?: ListInput<P>,
): AsyncGenerator<PageOf<P>, void> {
  for (let query = {}; ; ) {
    const page = await readPage(lanyard, path, input, query);
    yield page;
    if (page.page.next_cursor === null) return;
    query = { cursor: page.page.next_cursor };
  }
}

/** The records of a list, to its end. */
export async function* records<P extends ListPath>(
  lanyard: Lanyard,
  path: P,
  input?: ListInput<P>,
): AsyncGenerator<RecordOf<P>, void> {
  for await (const { data } of pages(lanyard, path, input)) yield* data;
}
