/**
 * Reads for the followers of changes. Followers that ask in the same turn of the event loop share
 * statements: one per page, and one per record type and selection, however many they are. Each
 * request states its viewer, and the statement decides for each viewer what it may read.
 */
import DataLoader from 'dataloader';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import { type ChangedRecords, type RecordRequest, readRecords } from './current-records.js';
import { type PageRequest, type PageRow, readPages } from './pages.js';

/** @returns The connections for reads about the organization. */
export type DatabaseOf = (organizationId: string) => Database;

/** Reads of one request, or of several that share statements. */
export interface ChangeReads {
  page(request: PageRequest): Promise<readonly PageRow[]>;
  records(request: RecordRequest): Promise<ChangedRecords>;
}

/** The shared reads of a follower, or those of a request on its own connection. */
export const changeReadsOf = ({ db, loaders }: Context): ChangeReads =>
  (loaders.get(SharedReads) as SharedReads | undefined) ?? readsOn(db);

const readsOn = (db: Database): ChangeReads => ({
  page: async (request) => (await readPages(db, [request]))[0] ?? [],
  records: async (request) => (await readRecords(db, [request]))[0] ?? [],
});

/** No request shares a read that began before it: it would miss what the request was woken for. */
const sameTurn = {
  cache: false,
  batchScheduleFn: setImmediate,
  maxBatchSize: Number.POSITIVE_INFINITY,
} as const;

export class SharedReads implements ChangeReads {
  readonly #pages: DataLoader<PageRequest, readonly PageRow[]>;
  readonly #records: DataLoader<RecordRequest, ChangedRecords>;

  constructor(dbOf: DatabaseOf) {
    this.#pages = new DataLoader(
      (requests) => byOrganization(requests, (id, own) => readPages(dbOf(id), own)),
      sameTurn,
    );
    this.#records = new DataLoader(
      (requests) => byOrganization(requests, (id, own) => readRecords(dbOf(id), own)),
      sameTurn,
    );
  }

  /** Lets a request use them. */
  lendTo({ loaders }: Context): void {
    loaders.set(SharedReads, this);
  }

  page(request: PageRequest): Promise<readonly PageRow[]> {
    return this.#pages.load(request);
  }

  records(request: RecordRequest): Promise<ChangedRecords> {
    return this.#records.load(request);
  }
}

/** Reads of one organization never wait for those of another, or fail with them. */
async function byOrganization<Request extends { readonly organizationId: string }, Found>(
  requests: readonly Request[],
  read: (organizationId: string, own: readonly Request[]) => Promise<readonly Found[]>,
): Promise<(Found | Error)[]> {
  const found = new Map<Request, Found | Error>();
  await Promise.all(
    [...Map.groupBy(requests, ({ organizationId }) => organizationId)].map(async ([id, own]) => {
      try {
        const results = await read(id, own);
        for (const [index, request] of own.entries()) found.set(request, results[index] as Found);
      } catch (error) {
        for (const request of own) found.set(request, error as Error);
      }
    }),
  );
  return requests.map((request) => found.get(request) as Found | Error);
}
