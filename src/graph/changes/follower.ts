/** Where a subscriber to the changes stands. Nothing is buffered for a slow one: it reads on from its position when it is ready. */
import type { Connection } from '../connection.js';
import type { Change, ChangesArgs } from './type.js';

/** Tells when an organization was written to; see database/listener.ts. @returns How to stop. */
export type Listen = (organizationId: string, wake: () => void) => () => void;

export class Follower {
  /** Whether changes are known to follow the position. */
  hasMore = false;
  /** Whether the page read last has no changes. */
  isIdle = true;
  isClosed = false;
  private unheard = false;
  private wake = (): void => {};
  private stop: (() => void) | undefined;

  /** @param position A cursor to go on from, in place of the operation's own `after`. */
  constructor(
    private readonly listen: Listen,
    public position: string | undefined,
  ) {}

  /** Reads the page after the position, and moves there. It listens before it reads, so that nothing falls between. */
  async read(
    organizationId: string,
    { changedAfter, ...args }: ChangesArgs,
    readPage: (args: ChangesArgs) => Promise<Connection<Change>>,
  ): Promise<Connection<Change>> {
    this.stop ??= this.listen(organizationId, () => {
      this.unheard = true;
      this.wake();
    });
    this.unheard = false;
    const page = await readPage(this.position ? { ...args, after: this.position } : { ...args, changedAfter: changedAfter ?? null });
    this.position = page.pageInfo.endCursor ?? this.position;
    this.hasMore = page.pageInfo.hasNextPage;
    this.isIdle = page.nodes.length === 0;
    return page;
  }

  /** Until something was written, the time is over, or the follower was closed. */
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
