/**
 * Optimistic authentication: a request whose token was seen before starts with the cached
 * principal, while PostgreSQL confirms it. A query reads meanwhile; a mutation waits for the
 * confirmation. No response is sent before, and results for another principal are discarded.
 */
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import type { Principal } from './policy.js';
import type { Caller, Callers, LookUp, Token } from './principal-lookup.js';

export class Authentication {
  #asked: LookUp | undefined;
  #isOver = false;

  /**
   * @param db Counts the statements of the request.
   * @param asked The look-up of this request, if it was started already.
   */
  constructor(
    private readonly callers: Callers,
    private readonly token: Token,
    private readonly caller: Caller,
    private readonly db: Database,
    asked?: LookUp,
  ) {
    this.#asked = asked;
  }

  get principal(): Principal {
    return this.caller.principal;
  }

  /**
   * Looks up the token's principal in PostgreSQL.
   * @returns Once the look-up is queued: the next read shares its round trip.
   */
  async ask(): Promise<void> {
    if (this.#asked) return;
    this.#asked = await this.callers.ask(this.token);
    this.db.countShared();
  }

  /** Whether the principal is that of the token, at some moment during this request. */
  async holds(): Promise<boolean> {
    if (this.#isOver) return false;
    await this.ask();
    return (await this.#asked?.found)?.get(this.token)?.text === this.caller.text;
  }

  /**
   * @throws {ApiError} unless {@link holds}. Clients never see it, because the request is repeated
   * as the current principal.
   */
  async require(): Promise<void> {
    if (!(await this.holds())) throw new ApiError('unauthenticated');
  }

  /** Call it when a write found the principal changed: {@link holds} is false from then on. */
  end(): void {
    this.#isOver = true;
  }
}
