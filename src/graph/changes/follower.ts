/**
 * The position of a subscriber to changes. There is no buffer: a slow subscriber continues from its
 * position.
 */
import type { Connection } from '../reads/connection.js';
import type { Change, ChangesArgs } from './type.js';

/**
 * Notifies of writes to an organization; see database/listener.ts.
 * @returns A function that stops the notifications.
 */
export type Listen = (organizationId: string, wake: () => void) => () => void;

export class Follower {
  /** Whether changes exist after the position. */
  hasMore = false;
  /** Whether the last page had no changes. */
  isIdle = true;
  isClosed = false;
  /** The organization that it follows; empty before the first read. */
  organizationId = '';
  private unheard = false;
  private wake = (): void => {};
  private stop: (() => void) | undefined;

  /** @param position The cursor to continue from. It replaces `after` of the operation. */
  constructor(
    private readonly listen: Listen,
    public position: string | undefined,
  ) {}

  /**
   * Reads the page after the position and advances. Listening starts before the read, so that no
   * change is missed.
   */
  async read(
    organizationId: string,
    { changedAfter, ...args }: ChangesArgs,
    readPage: (args: ChangesArgs) => Promise<Connection<Change>>,
  ): Promise<Connection<Change>> {
    this.stop ??= this.listen(organizationId, () => {
      this.unheard = true;
      this.wake();
    });
    this.organizationId = organizationId;
    this.unheard = false;
    const page = await readPage(
      this.position
        ? { ...args, after: this.position }
        : { ...args, changedAfter: changedAfter ?? null },
    );
    this.position = page.pageInfo.endCursor ?? this.position;
    this.hasMore = page.pageInfo.hasNextPage;
    this.isIdle = page.nodes.length === 0;
    return page;
  }

  /** Resolves after a write, the timeout, or the end of the follower. */
  async wait(milliseconds: number): Promise<void> {
    if (this.hasMore || this.unheard || this.isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    this.isClosed = true;
    this.stop?.();
    this.wake();
  }
}
