/** Trusted documents: with a manifest, only its documents run. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../../config.js';
import { ApiError } from '../../errors.js';
import { UnknownQuery } from './persisted-queries.js';
import type { Documents, GraphRequest } from './request.js';

/** The format of Apollo's `generate-persisted-query-manifest`, which other tools share. */
const manifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z
    .array(
      z.object({ id: z.string().min(1), name: z.string().optional(), body: z.string().min(1) }),
    )
    .min(1),
});

export class TrustedDocuments implements Documents {
  readonly #byId: ReadonlyMap<string, string>;
  readonly #texts: ReadonlySet<string>;
  /** Operation names, if the manifest has them. */
  readonly names: readonly string[];

  constructor(
    operations: readonly {
      readonly id: string;
      readonly name?: string | undefined;
      readonly body: string;
    }[],
  ) {
    this.#byId = new Map(operations.map(({ id, body }) => [id, body]));
    this.#texts = new Set(this.#byId.values());
    this.names = operations.flatMap(({ name }) => name ?? []);
  }

  /** @throws {ConfigError} when the file cannot be read or is not a manifest. */
  static read(file: string): TrustedDocuments {
    try {
      return new TrustedDocuments(
        manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).operations,
      );
    } catch (error) {
      const why =
        error instanceof z.ZodError
          ? z.prettifyError(error)
          : Error.isError(error)
            ? error.message
            : error;
      throw new ConfigError(
        `GRAPHQL_TRUSTED_DOCUMENTS is not a manifest of persisted queries: ${why}`,
      );
    }
  }

  /**
   * The document text of a request, identified by id or by the text itself.
   * @throws {UnknownQuery} when there is only an id, and it is unknown: the client then sends the
   * text, which may be one of the manifest.
   * @throws {ApiError} `invalid_request` when it is not trusted.
   */
  textOf({ query, persisted }: GraphRequest): string {
    const text = persisted ? this.#byId.get(persisted.hash) : query;
    if (text !== undefined && this.#texts.has(text)) return text;
    if (persisted && query === undefined) throw new UnknownQuery('PERSISTED_QUERY_NOT_SUPPORTED');
    throw new ApiError(
      'invalid_request',
      persisted
        ? 'There is no trusted document with this id.'
        : 'Only trusted documents run here: send the id of one as extensions.persistedQuery.sha256Hash, or its text as it is in the manifest.',
    );
  }

  /** Nothing is registered: the manifest has all documents. */
  register(): void {}
}
