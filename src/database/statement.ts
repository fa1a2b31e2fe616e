/** One statement on its way through a connection of `pg`. */
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { type Build, type Field, recordsOf } from './rows.js';

/** What `pg.Connection` has besides its types: the texts of its prepared statements by name, of those that PostgreSQL has acknowledged and of others. */
interface Connection extends pg.Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** How the rows of each prepared statement become records. PostgreSQL refuses to run one whose columns have changed since. */
const prepared = new WeakMap<pg.Connection, Map<string, Build>>();

const execution = Buffer.concat([serialize.execute(), serialize.sync()]);
const described = Buffer.concat([serialize.describe({ type: 'P' }), execution]);

/**
 * Goes out in one piece, and its rows become records as they come in. What a connection has prepared isn't described again, as `pg`'s own query has it
 * each time: a message less for PostgreSQL, and much of the cost of a short list.
 */
export class Statement<Row> implements pg.Submittable {
  readonly answer: Promise<Row[]>;
  #resolve!: (rows: Row[]) => void;
  #reject!: (error: unknown) => void;
  #connection: Connection | undefined;
  #build: Build | undefined;
  #rows: object[] = [];
  #failure: unknown;

  /** @param name Under which it is prepared; '' for none: then it is parsed at each use. Without values it is sent as it is, and not prepared. */
  constructor(
    readonly text: string,
    readonly values: readonly unknown[],
    readonly name: string,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** @returns What kept it from being sent. */
  submit(connection: pg.Connection): Error | undefined {
    this.#connection = connection as Connection;
    try {
      connection.stream.write(this.values.length === 0 ? serialize.query(this.text) : this.#messages(this.#connection));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #messages(connection: Connection): Buffer {
    const { name, text, values } = this;
    this.#build = prepared.get(connection)?.get(name);
    const bind = serialize.bind({ statement: name, values: values as unknown[], valueMapper: prepareValue });
    if (this.#build) return Buffer.concat([bind, execution]);
    if (connection.parsedStatements[name] ?? connection.submittedNamedStatements[name]) return Buffer.concat([bind, described]);
    if (name) connection.submittedNamedStatements[name] = text;
    return Buffer.concat([serialize.parse({ name, text }), bind, described]);
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#rows = [];
    this.#build = recordsOf(fields);
    if (!this.name || !this.#connection) return;
    const known = prepared.get(this.#connection) ?? new Map<string, Build>();
    prepared.set(this.#connection, known.set(this.name, this.#build));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      if (this.#build) this.#rows.push(this.#build(fields));
    } catch (error) {
      this.#failure ??= error;
    }
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#reject(this.#failure);
    else this.#resolve(this.#rows as Row[]);
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}
}
