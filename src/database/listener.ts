/** One connection that is notified of the organizations that any process writes to. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { connectLimit, silenceLimit } from './pool.js';
import { tickChannel } from './version-clock.js';
import { Client } from './wire/client.js';

/** Milliseconds before a lost connection is reopened. */
const pause = 500;

/**
 * Milliseconds between two registrations. A registration lasts for several intervals, so one
 * failure loses nothing.
 */
const refresh = 5000;

/**
 * Milliseconds after a notification until its listeners are woken once more, on a cluster: the
 * coordinator notifies when it commits, and a node may complete its part of the transaction later.
 */
const settlingMs = 250;

/** Registers as a listener, so that writes to these organizations notify. */
const register = `
  insert into change_listeners (organization_id, listener_id, expires_at)
  select organization_id, $2, now() + ${4 * refresh} * interval '1 millisecond' from unnest($1::uuid[]) organization_id
  on conflict (organization_id, listener_id) do update set expires_at = excluded.expires_at`;

export class Listener {
  private readonly wakers = new Map<string, Set<() => void>>();
  private readonly id = randomUUID();
  private client: Client | undefined;
  /** Settles when no statement is in progress: pg 9 no longer queues them. */
  private idle: Promise<unknown> = Promise.resolve();
  private isOpen = false;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly isDistributed = false,
  ) {}

  /**
   * Calls `wake` after every commit that changed the organization, and whenever a notification may
   * have been missed. The first call opens the connection.
   * @returns A function that stops it.
   */
  listen(organizationId: string, wake: () => void): () => void {
    const wakers = this.wakers.get(organizationId) ?? new Set();
    this.wakers.set(organizationId, wakers.add(wake));
    if (!this.isOpen) {
      this.isOpen = true;
      void this.keepOpen();
    } else {
      void this.announce([organizationId]);
    }
    return () => {
      // A second call must not remove listeners that came since.
      if (wakers.delete(wake) && wakers.size === 0) this.wakers.delete(organizationId);
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.client?.end().catch(() => {});
  }

  private async keepOpen(): Promise<void> {
    while (!this.isClosed) {
      try {
        await this.hear();
      } catch (err) {
        if (this.isClosed) return;
        this.log.warn({ err }, 'the connection that listens for changes was lost');
        await delay(pause);
      }
    }
  }

  /** Runs until the connection ends. */
  private async hear(): Promise<void> {
    const limits = { connectionTimeoutMillis: connectLimit, silenceLimit };
    const client = new Client({
      connectionString: this.url,
      keepAlive: true,
      application_name: 'lanyard listener',
      ...limits,
    });
    const ended = new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', resolve);
    });
    ended.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    client.on('notification', ({ payload = '' }) => {
      this.wake(this.wakers.get(payload));
      if (this.isDistributed)
        setTimeout(() => this.wake(this.wakers.get(payload)), settlingMs).unref();
    });
    await client.connect();
    try {
      await client.query(`listen ${tickChannel}`);
      if (this.isClosed) return;
      this.client = client;
      this.idle = Promise.resolve();
      await this.announce([...this.wakers.keys()]);
      timer = setInterval(() => void this.announce([...this.wakers.keys()]), refresh);
      await ended;
    } finally {
      clearInterval(timer);
      this.client = undefined;
      // Not awaited: a broken connection may never confirm its end.
      client.end().catch(() => {});
    }
  }

  /**
   * Registers, then wakes: writes that were committed or in progress before the registration did
   * not notify.
   */
  private async announce(organizationIds: readonly string[]): Promise<void> {
    if (organizationIds.length === 0) return;
    const { client } = this;
    // A broken connection emits `end`, and the next one registers again.
    const registered = this.idle
      .then(() => client?.query(register, [organizationIds, this.id]))
      .catch(() => {});
    this.idle = registered;
    await registered;
    for (const organizationId of organizationIds) this.wake(this.wakers.get(organizationId));
  }

  private wake(wakers: ReadonlySet<() => void> = new Set()): void {
    for (const each of wakers) each();
  }
}
