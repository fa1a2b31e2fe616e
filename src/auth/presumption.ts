/**
 * Who is asking, taken to be whom the token stood for last. PostgreSQL is asked at each request all the same, but nobody waits for that before they read, or
 * write: reads go out with the question, writes behind it, and nothing is answered before it is.
 */
import type { Database } from '../database/connection.js';
import { pgError } from '../database/failures.js';
import { NotSent } from '../database/together.js';
import type { Caller, Callers, LookUp, Token } from './callers.js';
import type { Principal } from './policy.js';

/** What `require_same` fails with (migration 0012). */
const changedCode = 'LY001';

/** Whether a statement wasn't run since the caller isn't whom they were presumed to be. */
export const isOfAnother = (error: unknown): boolean => pgError(error)?.code === changedCode;

export class Presumption {
  #asked: LookUp | undefined;
  #required: Promise<boolean | undefined> | undefined;

  /** @param db Counts the statements of the request. */
  constructor(
    private readonly callers: Callers,
    private readonly token: Token,
    private readonly caller: Caller,
    private readonly db: Database,
  ) {}

  get principal(): Principal {
    return this.caller.principal;
  }

  /** Asks whether it holds. @returns Once the question is on its way: what is read next goes with it. */
  async ask(): Promise<void> {
    this.#asked = await this.callers.ask(this.token);
    this.db.countShared();
  }

  /** Asks ahead of the first statement of a transaction, which isn't run unless it holds: see {@link isOfAnother}. */
  require(tx: Database): void {
    this.#required = tx.startWith(this.caller.requirement).then(
      () => true,
      // Where it can't be known what became of the transaction, it must not be run again: that it failed is all there is to tell.
      (error) => (error instanceof NotSent ? undefined : !isOfAnother(error)),
    );
  }

  /** Whether it held, at a moment of this request. Once a transaction has required it, that decides: to be asked when it has ended. */
  async holds(): Promise<boolean> {
    const required = await this.#required;
    if (required !== undefined) return required;
    if (!this.#asked) await this.ask();
    return (await this.#asked?.found)?.get(this.token)?.text === this.caller.text;
  }
}
