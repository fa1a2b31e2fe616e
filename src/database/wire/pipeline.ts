/** Pipelines statements: one write, one round trip. */
import { hash } from 'node:crypto';
import type pg from 'pg';
import { type Connection, prepareValue, type Submittable, serialize } from './pg-internals.js';
import { type Build, type Field, recordsOf } from './rows.js';

/** The text of a statement and its values. */
export type Sql = readonly [text: string, values: readonly unknown[]];

/** What is sent with the statements. After a failed statement PostgreSQL skips the rest. */
export interface PipelineOptions {
  /** `begin` before them. */
  readonly begins?: boolean;
  /** Lets PostgreSQL plan them, and the rest of their transaction, for their values. */
  readonly mayReplan?: boolean;
  /** `commit` after them. */
  readonly commits?: boolean;
  /**
   * For statements of MikroORM: counts the rows that each of them changes, and prepares none,
   * because their texts depend on the number of values.
   */
  readonly isCounted?: boolean;
}

/** The rows of a statement, and the number of those that it read or changed, if it was counted. */
export type CountedRows = object[] & { affected?: number };

/** The rows of a statement or its error; undefined where PostgreSQL skipped it after a failure. */
export type Result = object[] | Error | undefined;

/**
 * @throws the error, with a stack trace from here (its own trace is the socket's), or an error if
 * there is no result.
 */
export function rowsOf(result: Result): object[] {
  if (!result) throw unwritable();
  if (!Error.isError(result)) return result;
  Error.captureStackTrace(result);
  throw result;
}

/** In the form of PostgreSQL's errors: nothing was sent, and so nothing remains. */
const unwritable = (): Error => {
  const message =
    'Nothing was sent: a value of the statement, or of one that is sent with it, cannot be written';
  return Object.assign(new Error(message), { code: '22000', severity: 'ERROR' });
};

/**
 * Maximum number of prepared texts. Others are parsed at each use, because the memory of a session
 * must not grow with what clients select.
 */
const maxNames = 500;
const names = new Map<string, string>();

/**
 * The name under which sessions prepare a text, equal in all processes, so that sessions shared by
 * a pooler never confuse two texts. '' for none.
 */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= maxNames) return '';
    name = hash('sha256', text, 'base64url');
    names.set(text, name);
  }
  return name;
}

/** Forgets all names, as in a new process: tests of many files share a process. */
export const forgetNames = (): void => names.clear();

/**
 * On a Citus cluster, the error of a node arrives without the fields that name its objects, and its
 * message names the constraint and the table of a shard, such as `job_roles_slug_key_102008`. None
 * of our names ends like that.
 */
function withoutShards(error: Error & Partial<Record<ErrorField, string>>): Error {
  if (!error.code?.startsWith('23')) return error;
  for (const field of ['constraint', 'table'] as const)
    if (error[field]) error[field] = error[field].replace(/_\d{6,}$/, '');
  if (error.constraint || error.table) return error;
  const names = [...error.message.matchAll(/"(\w+?)(_\d{6,})?"/g)];
  const ofShard = names.filter(([, , shard]) => shard).at(-1)?.[1];
  if (!ofShard) return error;
  if (error.code === notNull) {
    const column = names[0]?.[1];
    return Object.assign(error, { table: ofShard, ...(column && { column }) });
  }
  return Object.assign(error, { constraint: ofShard });
}

type ErrorField = 'code' | 'constraint' | 'table' | 'column';

const notNull = '23502';

const execution = serialize.execute();
const described = Buffer.concat([serialize.describe({ type: 'P' }), execution]);
const sync = serialize.sync();
const unnamed = (text: string): Buffer =>
  Buffer.concat([serialize.parse({ text }), serialize.bind(), execution]);
const begin = unnamed('begin');
const allowReplan = unnamed(`select set_config('plan_cache_mode', 'auto', true)`);
const commit = unnamed('commit');

/**
 * Decodes rows as they arrive. Results of prepared statements are not described again, as pg's own
 * query does at each execution: that saves PostgreSQL a message and much of the cost of a short
 * list.
 */
export class Pipeline implements Submittable {
  readonly results: Promise<Result[]>;
  private readonly settle: (results: Result[]) => void;
  private readonly rows: object[][] = [];
  private readonly builds: (Build | undefined)[] = [];
  /** The reason why the rows of a statement could not be decoded, by its index. */
  private readonly failures: (Error | undefined)[] = [];
  /** Number of completions before that of the first statement. */
  private ahead: number;
  /** The statement whose results are arriving. */
  private at = 0;
  private connection: Connection | undefined;
  private readonly mayReplan: boolean;
  private readonly hasNames: boolean;

  /**
   * @param prepared Row decoders by prepared text of the connection: PostgreSQL refuses to run one
   * whose columns have changed.
   * @param hasNames Whether statements with values are prepared. A single statement without values
   * is sent as a simple query.
   */
  constructor(
    private readonly statements: readonly Sql[],
    private readonly options: PipelineOptions,
    private readonly prepared: Map<string, Build>,
    hasNames: boolean,
  ) {
    ({ promise: this.results, resolve: this.settle } = Promise.withResolvers<Result[]>());
    this.mayReplan =
      options.mayReplan === true && statements.some(([, values]) => values.length > 0);
    this.hasNames = hasNames && options.isCounted !== true;
    this.ahead = (options.begins ? 1 : 0) + (this.mayReplan ? 1 : 0);
  }

  /** The name that pg records as prepared when PostgreSQL confirms a parse. */
  get name(): string {
    const [text, values] = this.statements[this.at] ?? ['', []];
    return this.ahead === 0 && this.hasNames && values.length > 0 ? nameOf(text) : '';
  }

  get text(): string {
    return this.statements[this.at]?.[0] ?? '';
  }

  submit(connection: pg.Connection): Error | undefined {
    this.connection = connection as Connection;
    try {
      this.connection.stream.write(this.encode(this.connection.parsedStatements));
      return undefined;
    } catch (error) {
      // With several statements the failed one is unknown.
      this.at = this.statements.length > 1 ? Number.NaN : 0;
      return error as Error;
    }
  }

  private encode(parsed: Readonly<Record<string, string>>): Buffer {
    const [[text, { length }] = ['', []]] = this.statements;
    const { begins, commits } = this.options;
    if (this.statements.length === 1 && length === 0) {
      return serialize.query(
        [begins && 'begin', text, commits && 'commit'].filter(Boolean).join('\n;\n'),
      );
    }
    const messages: Buffer[] = [];
    if (begins) messages.push(begin);
    if (this.mayReplan) messages.push(allowReplan);
    const added = new Set<string>();
    for (const [each, values] of this.statements) {
      const name = this.hasNames && values.length > 0 ? nameOf(each) : '';
      if (name === '' || (parsed[name] === undefined && !added.has(name)))
        messages.push(serialize.parse({ name, text: each }));
      added.add(name);
      messages.push(
        serialize.bind({ statement: name, values: values as unknown[], valueMapper: prepareValue }),
      );
      const build = this.prepared.get(name);
      messages.push(build ? execution : described);
      this.builds.push(build);
      this.rows.push([]);
    }
    if (commits) messages.push(commit);
    messages.push(sync);
    return Buffer.concat(messages);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    if (this.ahead > 0) return;
    const at = Math.min(this.at, this.statements.length - 1);
    const build = recordsOf(fields);
    this.rows[at] = [];
    this.builds[at] = build;
    if (this.name) this.prepared.set(this.name, build);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.ahead > 0) return;
    const at = Math.min(this.at, this.statements.length - 1);
    try {
      const record = this.builds[at]?.(fields);
      if (record) this.rows[at]?.push(record);
    } catch (error) {
      this.failures[at] ??= error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.ahead > 0) {
      this.ahead--;
      return;
    }
    if (this.options.isCounted) this.count(Number(text.slice(text.lastIndexOf(' '))) || 0);
    this.at++;
  }

  private count(affected: number): void {
    const at = Math.min(this.at, this.statements.length - 1);
    const rows: CountedRows = this.rows[at] ?? [];
    rows.affected = affected;
    this.rows[at] = rows;
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    this.settle(this.resultsUntil(this.statements.length));
  }

  /**
   * The statements before it have their rows. An error after the last one is an error of the
   * commit, and the last one reports it.
   */
  handleError(error: unknown): void {
    const failed = Math.min(this.at, this.statements.length - 1);
    const results = this.resultsUntil(failed);
    if (failed >= 0) results[failed] = withoutShards(error as Error);
    this.settle(results);
  }

  /** The results of the statements before `end`; undefined for the others. */
  private resultsUntil(end: number): Result[] {
    const results = new Array<Result>(this.statements.length).fill(undefined);
    for (let index = 0; index < end; index++)
      results[index] = this.failures[index] ?? this.rows[index] ?? [];
    return results;
  }
}
