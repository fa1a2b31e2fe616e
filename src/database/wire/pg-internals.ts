/**
 * Interfaces of pg that are not documented, verified against pg 8.23.0 and pg-protocol 1.16.1. Only
 * this file uses them; test/database/wire/pg-internals.test.ts fails when one of them is gone.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import type { Field } from './rows.js';

export { serialize } from 'pg-protocol';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { pg: '8.23.0', 'pg-protocol': '1.16.1' } as const;

/** Members of `pg.Connection` that its types lack. */
export interface Connection extends pg.Connection {
  readonly stream: Socket;
  /**
   * Texts that PostgreSQL has prepared in this session, by name. pg adds the current name and text
   * when PostgreSQL confirms the parse.
   */
  readonly parsedStatements: Readonly<Record<string, string>>;
}

export const connectionOf = (client: pg.Client): Connection =>
  (client as unknown as { connection: Connection }).connection;

/** Methods that pg calls on a statement given to `query`, as PostgreSQL responds. */
export interface Submittable extends pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** @returns The reason why it was not sent; {@link handleError} is then called with it. */
  submit(connection: pg.Connection): Error | undefined;
  handleRowDescription(description: { readonly fields: readonly Field[] }): void;
  handleDataRow(row: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(message: { readonly text: string }): void;
  handleEmptyQuery(): void;
  /** The last call: not even {@link handleReadyForQuery} follows. */
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}

/** Converts a value to PostgreSQL's parameter format. */
export const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): unknown } }
).utils;

/** `query` and `end` of pg's own client, for a subclass that overrides and calls them. */
export const clientMethods = pg.Client.prototype as unknown as {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
  end(done?: () => void): unknown;
};
