/** One statement on its way through a connection of `pg`. */
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { type Build, type Field, recordsOf } from './rows.js';

/** What `pg.Connection` has besides its types: the texts that PostgreSQL has prepared, by name. */
interface Connection extends pg.Connection {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

/** How the rows of each prepared statement become records. PostgreSQL refuses to run one whose columns have changed since. */
const prepared = new WeakMap<pg.Connection, Map<string, Build>>();

const execution = serialize.execute();
const described = Buffer.concat([serialize.describe({ type: 'P' }), execution]);
export const sync = serialize.sync();
const unnamed = (text: string): Buffer => Buffer.concat([serialize.parse({ text }), serialize.bind(), execution]);
const begin = unnamed('begin');
const allowReplan = unnamed(`select set_config('plan_cache_mode', 'auto', true)`);
const commit = unnamed('commit');

/** @returns What kept it from being sent. */
export function write(connection: pg.Connection, messages: () => Buffer[]): Error | undefined {
  try {
    connection.stream.write(Buffer.concat(messages()));
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** What goes out with a statement. Where one of them fails, PostgreSQL leaves out what follows. */
export interface Company {
  /** The begin of its transaction. */
  readonly begins?: boolean;
  /** That PostgreSQL may plan it for its values, and what follows in its transaction for theirs. */
  readonly mayReplan?: boolean;
  readonly commits?: boolean;
}

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
  readonly #name: string;
  readonly #before: readonly Buffer[];
  /** What went ahead and isn't answered yet. */
  #ahead: number;

  /** @param name Under which it is prepared; '' for none: then it is parsed at each use. Without values it is sent as it is, and not prepared. */
  constructor(
    readonly text: string,
    readonly values: readonly unknown[],
    name: string,
    readonly company: Company = {},
  ) {
    this.#name = name;
    this.#before = [...(company.begins ? [begin] : []), ...(company.mayReplan && values.length > 0 ? [allowReplan] : [])];
    this.#ahead = this.#before.length;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether PostgreSQL has done it, with all its company. */
  get isDone(): boolean {
    return this.#ahead < (this.company.commits ? -1 : 0);
  }

  /** What `pg` takes for prepared when PostgreSQL says that something is. */
  get name(): string {
    return this.#ahead > 0 ? '' : this.#name;
  }

  /** @returns What kept it from being sent. */
  submit(connection: pg.Connection): Error | undefined {
    return write(connection, () => (this.values.length === 0 ? [this.#plain()] : [...this.messages(connection), sync]));
  }

  #plain(): Buffer {
    const { begins, commits } = this.company;
    return serialize.query([begins && 'begin', this.text, commits && 'commit'].filter(Boolean).join('\n;\n'));
  }

  /**
   * What asks for its rows on a connection, with its company, but for the sync.
   * @param parsed The names that what goes out ahead of it has PostgreSQL prepare; its own is added.
   */
  messages(connection: pg.Connection, parsed = new Set<string>()): Buffer[] {
    this.#connection = connection as Connection;
    const bind = serialize.bind({ statement: this.#name, values: this.values as unknown[], valueMapper: prepareValue });
    const isParsed = this.#name !== '' && (parsed.has(this.#name) || this.#connection.parsedStatements[this.#name] !== undefined);
    const parse = isParsed ? [] : [serialize.parse({ name: this.#name, text: this.text })];
    parsed.add(this.#name);
    this.#build = prepared.get(connection)?.get(this.#name);
    return [...this.#before, ...parse, bind, this.#build ? execution : described, ...(this.company.commits ? [commit] : [])];
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#rows = [];
    this.#build = recordsOf(fields);
    if (!this.#name || !this.#connection) return;
    const known = prepared.get(this.#connection) ?? new Map<string, Build>();
    prepared.set(this.#connection, known.set(this.#name, this.#build));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#ahead > 0) return;
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

  handleCommandComplete(): void {
    this.#ahead--;
  }

  handleEmptyQuery(): void {}
}
