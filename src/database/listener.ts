/** One connection that hears which organizations were written to, by whatever process. */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { tickChannel } from './clock.js';

/** Milliseconds until a lost connection is tried again. */
const pause = 500;

export class Listener {
  private readonly wakers = new Map<string, Set<() => void>>();
  private client: pg.Client | undefined;
  private isOpen = false;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly log: Logger,
  ) {}

  /**
   * Calls `wake` after every commit that changed something of the organization, and whenever one may have been missed; the connection is opened
   * with the first call.
   * @returns How to stop.
   */
  listen(organizationId: string, wake: () => void): () => void {
    const wakers = this.wakers.get(organizationId) ?? new Set();
    this.wakers.set(organizationId, wakers.add(wake));
    if (!this.isOpen) {
      this.isOpen = true;
      void this.keepOpen();
    }
    return () => {
      // Called again later, it must not touch the set of those who came since.
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

  /** Until the connection ends. */
  private async hear(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, keepAlive: true, application_name: 'lanyard listener' });
    const ended = new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', resolve);
    });
    ended.catch(() => {});
    client.on('notification', ({ payload = '' }) => this.wake(this.wakers.get(payload)));
    await client.connect();
    this.client = client;
    try {
      await client.query(`listen ${tickChannel}`);
      // What was committed before this was heard by nobody.
      for (const wakers of this.wakers.values()) this.wake(wakers);
      await ended;
    } finally {
      this.client = undefined;
      // Not awaited: of a connection that broke, the end may never be told.
      client.end().catch(() => {});
    }
  }

  private wake(wakers: ReadonlySet<() => void> = new Set()): void {
    for (const each of wakers) each();
  }
}
