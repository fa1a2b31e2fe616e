/** Where a request of either style is let in: who is asking, whether they may ask again already, and what the request carries from there. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Principal } from '../auth/policy.js';
import type { Authenticator } from '../auth/principal.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Database } from '../database/connection.js';
import type { Standby } from '../database/standby.js';
import { today } from '../entities/day.js';
import type { Limiter } from './limiter.js';
import { prefersStandby } from './prefer.js';

export interface Admitted extends Context {
  /** Header fields for the response: what is left of the caller's rate. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface Identified extends Admitted {
  readonly principal: Principal;
}

/** Statements that find out who is asking. */
const lookUps = 1;

export class Gate {
  constructor(
    private readonly config: Config,
    private readonly db: Database,
    private readonly authenticator: Authenticator,
    private readonly limiter: Limiter,
    private readonly log: Logger,
    private readonly standby?: Standby,
  ) {}

  /**
   * Does what a caller asks for, as the one whom the token stood for last where that is known; once more if it turns out to stand for another by now.
   * @param work Repeatable until it executes an operation, which is so as well where the caller changed. What it gives goes out only then.
   * @throws {ApiError} As {@link admit}.
   */
  async serve<T>(headers: IncomingHttpHeaders, requestId: string, work: (context: Identified) => Promise<T>): Promise<T> {
    const db = this.db.counted();
    const presumption = await this.authenticator.presume(headers.authorization, db);
    if (presumption) {
      const context = { ...this.contextFor(db, headers, requestId), principal: presumption.principal, presumption };
      const done = this.count(context).then(work);
      // Whatever it fails with, who is asking comes first.
      await done.catch(() => {});
      if (await presumption.holds()) return done;
    }
    return work(await this.admit(headers, requestId));
  }

  /** @throws {ApiError} `unauthenticated` or `rate_limited`. */
  async admit(headers: IncomingHttpHeaders, requestId: string): Promise<Identified> {
    return this.count(await this.renew(headers, requestId));
  }

  private async count<Of extends { readonly principal: Principal }>(context: Of): Promise<Of & Pick<Identified, 'fields'>> {
    const { appId, userId } = context.principal;
    return { ...context, fields: await this.limiter.count(`${appId} ${userId}`) };
  }

  /**
   * Looks anew at who is asking, in a request that goes on.
   * @param statements That the request has taken so far.
   * @throws {ApiError} `unauthenticated`.
   */
  async renew(headers: IncomingHttpHeaders, requestId: string, statements = 0): Promise<Identified> {
    const principal = await this.authenticator.authenticate(headers.authorization);
    return { ...this.contextFor(this.db.counted(statements + lookUps), headers, requestId), principal, fields: {} };
  }

  /** For what needs no token, such as introspection. @throws {ApiError} `rate_limited`, counted by the address. */
  async admitAnonymous(address: string, requestId: string): Promise<Admitted> {
    const fields = await this.limiter.count(`address ${address}`);
    return { ...this.contextFor(this.db.counted(), {}, requestId), principal: undefined, fields };
  }

  private contextFor(db: Database, { prefer }: IncomingHttpHeaders, requestId: string) {
    const standby = prefersStandby(prefer) ? this.standby : undefined;
    return { config: this.config, db, standby, requestId, log: this.log, today: today(), loaders: new Map<unknown, unknown>() };
  }
}
