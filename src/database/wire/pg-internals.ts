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

interface Attaching extends Connection {
  attachListeners(stream: Socket): void;
}

/** Messages that PostgreSQL sends only in one form, or never because nothing here asks for them. */
const expected: Readonly<Record<string, (message: Readonly<Record<string, unknown>>) => boolean>> =
  {
    errorMessage: ({ severity }) => severity !== undefined,
    readyForQuery: ({ status }) => ['I', 'T', 'E'].includes(String(status)),
    copyInResponse: () => false,
    copyOutResponse: () => false,
    copyData: () => false,
  };
const authentication = [
  'authenticationOk',
  'authenticationCleartextPassword',
  'authenticationMD5Password',
  'authenticationSASL',
  'authenticationSASLContinue',
  'authenticationSASLFinal',
];

const prototype = pg.Connection.prototype as Attaching;
const { attachListeners } = prototype;

/**
 * Closes the connection when the bytes from PostgreSQL are no message, or none that may come now.
 * pg throws in the listener of the socket, which would end the process. It returns an unknown
 * message as an error without a severity, which PostgreSQL never sends.
 */
prototype.attachListeners = function attach(this: Attaching, stream) {
  const others = new Set(stream.listeners('data'));
  for (const [name, isValid] of Object.entries(expected))
    this.prependListener(name, (message) => {
      if (!isValid(message)) throw new Error(`Unexpected ${name}`);
    });
  this.once('readyForQuery', () => {
    for (const name of authentication)
      this.prependListener(name, () => {
        throw new Error(`Unexpected ${name} in a session`);
      });
  });
  attachListeners.call(this, stream);
  for (const listener of stream.listeners('data')) {
    if (others.has(listener)) continue;
    stream.off('data', listener as () => void);
    stream.on('data', (data) => {
      if (stream.destroyed) return;
      try {
        listener.call(stream, data);
      } catch (cause) {
        const message = 'PostgreSQL sent a malformed message';
        stream.destroy(Object.assign(new Error(message, { cause }), { code: 'EPROTO' }));
      }
    });
  }
};

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
