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

  /** @throws {ApiError} `unauthenticated` or `rate_limited`. */
  async admit(headers: IncomingHttpHeaders, requestId: string): Promise<Identified> {
    const context = await this.renew(headers, requestId);
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
    const standby = prefersStandby(headers.prefer) ? this.standby : undefined;
    return { ...this.contextFor(this.db.counted(statements + lookUps), requestId), principal, standby, fields: {} };
  }

  /** For what needs no token, such as introspection. @throws {ApiError} `rate_limited`, counted by the address. */
  async admitAnonymous(address: string, requestId: string): Promise<Admitted> {
    const fields = await this.limiter.count(`address ${address}`);
    return { ...this.contextFor(this.db.counted(), requestId), principal: undefined, fields };
  }

  private contextFor(db: Database, requestId: string) {
    return { config: this.config, db, requestId, log: this.log, today: today(), loaders: new Map<unknown, unknown>() };
  }
}
