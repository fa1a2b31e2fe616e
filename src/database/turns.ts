/**
 * Fair shares of a scarce resource, limited in total, by organization and by caller, and the order
 * of those who wait. For connections of the pool: one caller, or one organization whose callers
 * wait for each other's locks, leaves connections to the others, and some are reserved for
 * authentication, sign-in and health checks. For processor time: heavy requests (http/request-context.ts).
 */
import { ApiError } from '../errors.js';
import { observer } from '../observer.js';
import { type Connecting, connectLimit, type PoolClient } from './pool.js';

/** The organization and caller of a request. */
export interface Owner {
  readonly organization: string;
  readonly caller: string;
}

/** Maximum number of concurrent owners and of waiting ones. */
export interface Shares {
  readonly all: number;
  readonly organization: number;
  readonly caller: number;
  readonly waiting: { readonly organization: number; readonly caller: number };
}

/**
 * For a pool of ten connections: eight for requests, at most five for an organization and four for
 * a caller.
 */
export function sharesOf(poolSize: number): Shares {
  const all = Math.max(1, poolSize - Math.max(1, Math.floor(poolSize / 5)));
  // A document with many fields runs as many statements at once.
  return {
    all,
    organization: Math.ceil(all * 0.6),
    caller: Math.ceil(all / 2),
    waiting: { organization: 600, caller: 200 },
  };
}

/** Idle entries are dropped above this number. */
const maxEntries = 1000;

type Leave = () => void;

interface Waiter {
  readonly start: () => void;
}

class CallerShare {
  running = 0;
  queue: Waiter[] = [];

  get isIdle(): boolean {
    return this.running === 0 && this.queue.length === 0;
  }
}

class OrganizationShare {
  running = 0;
  waiting = 0;
  readonly callers = new Map<string, CallerShare>();
  /** Callers that wait, in order. */
  readonly next: CallerShare[] = [];

  get isIdle(): boolean {
    return this.running === 0 && this.waiting === 0;
  }
}

export class Turns {
  #running = 0;
  #waiting = 0;
  readonly #organizations = new Map<string, OrganizationShare>();
  /** Organizations that wait, in order. */
  readonly #next: OrganizationShare[] = [];

  constructor(private readonly shares: Shares) {}

  /** Number of statements and transactions that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for the owner's turn.
   * @returns A function that ends the turn.
   * @throws {ApiError} `rate_limited` when too much work of the caller waits; `service_unavailable`
   * when too much work of the organization waits, or for too long.
   */
  async take(owner: Owner): Promise<Leave> {
    const { within, own } = this.#sharesOf(owner);
    if (own.queue.length === 0 && this.#isFree(within, own)) return this.#start(within, own);
    this.#refuseIfFull(within, own);
    return this.#wait(within, own);
  }

  /** @throws {ApiError} If {@link take} would throw now. */
  requireRoom(owner: Owner): void {
    const { within, own } = this.#sharesOf(owner);
    if (own.queue.length > 0 || !this.#isFree(within, own)) this.#refuseIfFull(within, own);
  }

  /** Whether requests of the owner's caller wait. */
  isWaiting(owner: Owner): boolean {
    return this.#waiting > 0 && this.#sharesOf(owner).own.queue.length > 0;
  }

  #sharesOf({ organization, caller }: Owner) {
    const within = entry(this.#organizations, organization, OrganizationShare);
    return { within, own: entry(within.callers, caller, CallerShare) };
  }

  #refuseIfFull(within: OrganizationShare, own: CallerShare): void {
    const { waiting } = this.shares;
    if (own.queue.length >= waiting.caller)
      throw this.#refuse(
        'rate_limited',
        'You have too many requests in progress: wait for their responses.',
      );
    // A caller without a waiting request can always wait: others can't take this place.
    if (own.queue.length > 0 && within.waiting >= waiting.organization)
      throw this.#refuse(
        'service_unavailable',
        'Too many requests of your organization are in progress. Try again later.',
      );
  }

  #refuse(code: 'rate_limited' | 'service_unavailable', message: string): ApiError {
    observer?.count('queueRefusal');
    return new ApiError(code, message, undefined, 1);
  }

  #isFree(within: OrganizationShare, own: CallerShare): boolean {
    const { all, organization, caller } = this.shares;
    return this.#running < all && within.running < organization && own.running < caller;
  }

  #start(within: OrganizationShare, own: CallerShare): Leave {
    this.#running++;
    within.running++;
    own.running++;
    return () => {
      this.#running--;
      within.running--;
      own.running--;
      if (this.#next.length > 0) this.#dispatch();
    };
  }

  #wait(within: OrganizationShare, own: CallerShare): Promise<Leave> {
    if (own.queue.length === 0) within.next.push(own);
    if (within.waiting === 0) this.#next.push(within);
    this.#count(within, 1);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          this.#count(within, -1);
          resolve(this.#start(within, own));
        },
      };
      const timer = setTimeout(() => {
        own.queue = own.queue.filter((each) => each !== waiter);
        this.#count(within, -1);
        reject(
          this.#refuse(
            'service_unavailable',
            'Other requests of yours took too long. Try again later.',
          ),
        );
      }, connectLimit);
      own.queue.push(waiter);
    });
  }

  #count(within: OrganizationShare, change: number): void {
    within.waiting += change;
    this.#waiting += change;
  }

  /** Starts the next ones: organizations take turns, and within each its callers. */
  #dispatch(): void {
    for (let passed = 0; passed < this.#next.length && this.#running < this.shares.all; ) {
      const within = this.#next.shift();
      if (!within) return;
      const isStarted = within.running < this.shares.organization && this.#startOne(within);
      if (within.waiting > 0) this.#next.push(within);
      passed = isStarted ? 0 : passed + 1;
    }
  }

  #startOne(within: OrganizationShare): boolean {
    for (let passed = within.next.length; passed > 0; passed--) {
      const own = within.next.shift();
      const waiter = own && this.#isFree(within, own) ? own.queue.shift() : undefined;
      if (own && own.queue.length > 0) within.next.push(own);
      waiter?.start();
      if (waiter) return true;
    }
    return false;
  }
}

/** Returns the entry of a key, and creates it if missing. */
function entry<Of extends { readonly isIdle: boolean }>(
  all: Map<string, Of>,
  key: string,
  Share: new () => Of,
): Of {
  let found = all.get(key);
  if (!found) {
    if (all.size >= maxEntries) for (const [each, { isIdle }] of all) if (isIdle) all.delete(each);
    found = new Share();
    all.set(key, found);
  }
  return found;
}

/** The connections of a pool that an owner may use. */
export class OwnedPool implements Connecting {
  constructor(
    private readonly pool: Connecting,
    private readonly turns: Turns,
    private readonly owner: Owner,
  ) {}

  async connect(): Promise<PoolClient> {
    const leave = await this.turns.take(this.owner);
    try {
      const client = await this.pool.connect();
      // The pool assigns a new `release` to the client each time.
      const { release } = client;
      client.release = (error) => {
        release.call(client, error);
        leave();
      };
      return client;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
