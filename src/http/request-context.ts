/** Admits requests of REST and GraphQL: authentication, rate limit, and the request context. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Principal } from '../auth/policy.js';
import type { Authenticator } from '../auth/principal.js';
import type { Token } from '../auth/principal-lookup.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Database } from '../database/connection.js';
import type { Standby } from '../database/standby.js';
import { type Owner, type Shares, Turns } from '../database/turns.js';
import { ApiError } from '../errors.js';
import { today } from '../scalars/day.js';
import { prefersStandby } from './prefer.js';
import type { Limiter } from './rate-limit.js';

export interface Admitted extends Context {
  /** Header fields for the response: the caller's remaining rate. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface Identified extends Admitted {
  readonly principal: Principal;
}

/** Number of statements of an authentication. */
const lookUps = 1;

/** Maximum number of attempts of a request whose principal changes. */
const maxAttempts = 3;

/**
 * The owner for shares of connections: a caller of several organizations belongs to the primary
 * one.
 */
const ownerOf = ({ key }: Token, { memberships: [main], userId }: Principal): Owner => ({
  organization: main?.organizationId ?? userId,
  caller: key,
});

/**
 * Concurrent requests in this process. Another caller's request waits for the processor until those
 * that are ready have used it.
 */
const requestShares: Shares = {
  all: Number.POSITIVE_INFINITY,
  organization: 20,
  caller: 10,
  waiting: { organization: 600, caller: 200 },
};
/**
 * Concurrent heavy requests in this process: expensive queries, and large bodies such as bulk
 * upserts.
 */
const heavyShares: Shares = {
  all: 2,
  organization: 1,
  caller: 1,
  waiting: { organization: 32, caller: 8 },
};
/** Requests with larger bodies are heavy. */
export const largeBodyBytes = 32 * 1024;
const noBody = Buffer.alloc(0);
/** Milliseconds after another caller's last request during which the processor counts as shared. */
const sharedForMs = 1000;

/** How long a request keeps its turn after it ends: a multiple of its duration, up to a maximum. */
interface Rest {
  readonly factor: number;
  readonly maxMs: number;
}

/** Heavy requests run a fifth of the time. */
const heavyRest: Rest = { factor: 4, maxMs: 2000 };
/**
 * Heavy requests of a caller with more of them waiting run a twentieth of the time. The maximum
 * leaves the next one time to start before its wait times out.
 */
const queuedHeavyRest: Rest = { factor: 19, maxMs: 1500 };
/** Other requests of a caller with more of them waiting run a third of the time. */
const queuedRest: Rest = { factor: 2, maxMs: 100 };

export class Gate {
  readonly #requests = new Turns(requestShares);
  readonly #heavy = new Turns(heavyShares);
  #lastCaller = '';
  #alternatedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly config: Config,
    private readonly db: Database,
    private readonly authenticator: Authenticator,
    private readonly limiter: Limiter,
    private readonly log: Logger,
    private readonly standby?: Standby,
  ) {}

  /**
   * Executes a request as the cached principal of its token, if there is one, and again if the
   * principal turns out to have changed.
   * @param readBody Undefined for a request without a body. The body is read before the request
   * takes a share of anything, so that a slow sender holds up nothing.
   * @param work Repeatable until it executes an operation, and after a change of principal. Its
   * result is returned only when the principal is confirmed.
   * @throws {ApiError} Like {@link admit}, `readBody` and {@link Turns.take}.
   */
  async serve<T>(
    request: IncomingMessage,
    requestId: string,
    readBody: ((request: IncomingMessage) => Promise<Buffer>) | undefined,
    work: (context: Identified, body: Buffer) => Promise<T>,
  ): Promise<T> {
    const { headers } = request;
    const { token, ...counted } = await this.count(headers);
    let db: Database | undefined;
    // The body can be read only once.
    let body: Promise<Buffer> | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const authentication = await this.authenticator.begin(token, attempt > 1);
      const { principal } = authentication;
      const owner = ownerOf(token, principal);
      db = this.db.ownedBy(owner, db?.statements);
      const context = {
        ...this.contextFor(db, headers, requestId),
        ...counted,
        principal,
        authentication,
      };
      const execute = async () => {
        if (!body && Number(headers['content-length']) > largeBodyBytes)
          this.#heavy.requireRoom(owner);
        body ??= readBody?.(request);
        const raw = (await body) ?? noBody;
        if (raw.length > largeBodyBytes) return this.#inTurn(owner, () => work(context, raw));
        const leave = await this.#requests.take(owner);
        const started = performance.now();
        try {
          return await work({ ...context, inTurn: (heavy) => this.#inTurn(owner, heavy) }, raw);
        } finally {
          if (this.#requests.isWaiting(owner)) this.#rest(leave, started, queuedRest);
          else leave();
        }
      };
      const done = execute();
      // An authentication error takes precedence over any other.
      await done.catch(() => {});
      if (await authentication.holds(db)) return done;
    }
    throw new ApiError(
      'service_unavailable',
      'Your permissions changed while the request was in progress. Send it again.',
    );
  }

  /** @throws {ApiError} `unauthenticated` or `rate_limited`. */
  async admit(headers: IncomingHttpHeaders, requestId: string): Promise<Identified> {
    const { fields } = await this.count(headers);
    return { ...(await this.renew(headers, requestId)), fields };
  }

  /**
   * Runs the heavy requests of a caller one after the other, and with a delay between them while
   * there are other callers.
   */
  async #inTurn<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const leave = await this.#heavy.take(owner);
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.#rest(leave, started, this.#heavy.isWaiting(owner) ? queuedHeavyRest : heavyRest);
    }
  }

  /** Ends a turn: immediately, or after a rest while other callers send requests. */
  #rest(leave: () => void, started: number, { factor, maxMs }: Rest): void {
    const now = performance.now();
    if (now - this.#alternatedAt >= sharedForMs) leave();
    else setTimeout(leave, Math.min(factor * (now - started), maxMs)).unref();
  }

  /** Counts a request with a verified token, before any statement. */
  private async count({ authorization }: IncomingHttpHeaders) {
    const token = await this.authenticator.tokenOf(authorization);
    const { key } = token;
    if (this.#lastCaller !== '' && key !== this.#lastCaller) this.#alternatedAt = performance.now();
    this.#lastCaller = key;
    const fields = await this.limiter.count(key);
    const charge = async (points: number) => void (await this.limiter.count(key, points));
    return { token, fields, charge };
  }

  /**
   * Authenticates again, in a request that continues.
   * @param statements The number of statements of the request so far.
   * @throws {ApiError} `unauthenticated`.
   */
  async renew(
    headers: IncomingHttpHeaders,
    requestId: string,
    statements = 0,
  ): Promise<Identified> {
    const token = await this.authenticator.tokenOf(headers.authorization);
    const principal = await this.authenticator.authenticate(token);
    const db = this.db.ownedBy(ownerOf(token, principal), statements + lookUps);
    return { ...this.contextFor(db, headers, requestId), principal, fields: {} };
  }

  /**
   * For operations without a token, such as introspection. Limited by address: see strangers.ts.
   */
  admitAnonymous(requestId: string): Admitted {
    return {
      ...this.contextFor(this.db.counted(), {}, requestId),
      principal: undefined,
      fields: {},
    };
  }

  private contextFor(db: Database, { prefer }: IncomingHttpHeaders, requestId: string) {
    const standby = this.standby && prefersStandby(prefer) ? this.standby : undefined;
    return {
      config: this.config,
      db,
      standby,
      requestId,
      log: this.log,
      today: today(),
      loaders: new Map<unknown, unknown>(),
    };
  }
}
