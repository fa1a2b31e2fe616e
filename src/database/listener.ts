/** One connection that hears which organizations were written to, by whatever process. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Client } from './client.js';
import { tickChannel } from './clock.js';
import { connectLimit, silenceLimit } from './pool.js';

/** Milliseconds until a lost connection is tried again. */
const pause = 500;

/** Milliseconds between two registrations; each lasts for several, so that one that fails loses nothing. */
const refresh = 5000;

/** Makes the writes of these organizations announce themselves. */
const register = `
  insert into change_listeners (organization_id, listener_id, expires_at)
  select organization_id, $2, now() + ${4 * refresh} * interval '1 millisecond' from unnest($1::uuid[]) organization_id
  on conflict (organization_id, listener_id) do update set expires_at = excluded.expires_at`;

export class Listener {
  private readonly wakers = new Map<string, Set<() => void>>();
  private readonly id = randomUUID();
  private client: Client | undefined;
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
    } else {
      void this.announce([organizationId]);
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
    const limits = { connectionTimeoutMillis: connectLimit, silenceLimit };
    const client = new Client({ connectionString: this.url, keepAlive: true, application_name: 'lanyard listener', ...limits });
    const ended = new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', resolve);
    });
    ended.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    client.on('notification', ({ payload = '' }) => this.wake(this.wakers.get(payload)));
    await client.connect();
    this.client = client;
    try {
      await client.query(`listen ${tickChannel}`);
      await this.announce([...this.wakers.keys()]);
      timer = setInterval(() => void this.announce([...this.wakers.keys()]), refresh);
      await ended;
    } finally {
      clearInterval(timer);
      this.client = undefined;
      // Not awaited: of a connection that broke, the end may never be told.
      client.end().catch(() => {});
    }
  }

  /** Registers, and then wakes: what was written before, or was under way meanwhile and is heard of at the next refresh, told nobody. */
  private async announce(organizationIds: readonly string[]): Promise<void> {
    if (organizationIds.length === 0) return;
    // A connection that broke says so by itself, and the next one registers anew.
    await this.client?.query(register, [organizationIds, this.id]).catch(() => {});
    for (const organizationId of organizationIds) this.wake(this.wakers.get(organizationId));
  }

  private wake(wakers: ReadonlySet<() => void> = new Set()): void {
    for (const each of wakers) each();
  }
}
