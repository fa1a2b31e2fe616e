/**
 * Group commit: creates that arrive while another one of the same organization is in progress share
 * the next transaction. Without it they would wait for each other's commit, since each advances the
 * organization's version clock. Organizations are independent: each has its own queue, and its
 * group its own connection.
 */
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors.js';
import type { Connecting, PoolClient } from '../pool.js';
import { commitGroup, type GroupedWrite, GroupMember } from './group.js';

export type { GroupedWrite, GroupMember } from './group.js';

/**
 * The interface to group commit. A database without it runs each create in a transaction of its
 * own.
 */
export interface GroupCommit {
  /** Queues a write. @returns The promises of its outcome. */
  join(write: GroupedWrite): GroupMember;
}

/** Maximum group size: amortizes the commit without delaying the first member. */
const maxMembers = 16;

/** Maximum number of waiting creates of an organization. */
const maxWaiting = 500;

interface Queue {
  readonly pool: Connecting;
  waiting: GroupMember[];
  isBusy: boolean;
}

export class GroupCommitByOrganization implements GroupCommit {
  /**
   * An evicted queue still finishes its work. Not a Map, which retains garbage when it changes all
   * the time (decision 0032).
   */
  private readonly queues = new LRUCache<string, Queue>({ max: 2000 });

  /** @param poolOf Returns the connections of an organization. */
  constructor(private readonly poolOf: (organizationId: string) => Connecting) {}

  join(write: GroupedWrite): GroupMember {
    const member = new GroupMember(write);
    let queue = this.queues.get(write.clock);
    if (!queue) {
      queue = { pool: this.poolOf(write.clock), waiting: [], isBusy: false };
      this.queues.set(write.clock, queue);
    }
    if (queue.waiting.length >= maxWaiting) {
      const message = 'Too many creates of this organization are in progress. Try again later.';
      member.fail(new ApiError('service_unavailable', message, undefined, 1));
      return member;
    }
    queue.waiting.push(member);
    if (!queue.isBusy) void this.run(queue);
    return member;
  }

  private async run(queue: Queue): Promise<void> {
    queue.isBusy = true;
    while (queue.waiting.length > 0) {
      let client: PoolClient;
      try {
        client = await queue.pool.connect();
      } catch (error) {
        // Without a connection no member can run.
        for (const member of queue.waiting.splice(0)) member.fail(error);
        break;
      }
      client.release(await commitGroup(client, queue.waiting.splice(0, maxMembers)));
    }
    queue.isBusy = false;
  }
}
