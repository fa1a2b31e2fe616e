/**
 * Clients that keep copies while things fail: one by the greatest `updated_at` of a list over two
 * organizations, one by the changes of one of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { skylineId } from '../support/names.js';
import { pathWith } from '../support/walk.js';
import type { Caller } from './caller.js';

const start = '2000-01-01T00:00:00.000000Z';

export class Copy {
  /** Every version that was seen, as `id updated_at`. */
  readonly versions = new Set<string>();
  /** Every event that was told, as `id changed_at`; those told twice, twice. */
  readonly changes: string[] = [];
  private position = start;
  private cursor: string | undefined;

  constructor(private readonly caller: Caller) {}

  /** Reads on until told to end, and then to the end. */
  async follow(isOver: () => boolean): Promise<void> {
    await Promise.all([
      this.repeat(isOver, () => this.readList()),
      this.repeat(isOver, () => this.readChanges()),
    ]);
  }

  private async repeat(isOver: () => boolean, read: () => Promise<boolean>): Promise<void> {
    for (let wasOver = false; !wasOver; ) {
      wasOver = isOver();
      while (await read());
      await delay(20);
    }
  }

  /** @returns Whether there may be more. */
  private async readList(): Promise<boolean> {
    const reply = await this.caller.insist(
      'GET',
      pathWith('/v1/certifications', { limit: 100, updated_after: this.position }),
    );
    const data: { id: string; updated_at: string }[] = reply?.body.data ?? [];
    for (const { id, updated_at } of data) this.versions.add(`${id} ${updated_at}`);
    this.position = data.at(-1)?.updated_at ?? this.position;
    return data.length > 0;
  }

  private async readChanges(): Promise<boolean> {
    const query = `query ($after: String, $since: DateTime) { changes(organizationId: "${skylineId}", resourceTypes: [CERTIFICATION], first: 100, after: $after, changedAfter: $since) {
      nodes { resourceId changedAt } pageInfo { endCursor hasNextPage } } }`;
    const variables = this.cursor ? { after: this.cursor } : { since: this.since };
    const reply = await this.caller.insist('POST', '/graphql', { body: { query, variables } });
    const page = reply?.body.data?.changes;
    if (!page) return false;
    this.changes.push(
      ...page.nodes.map(
        (each: { resourceId: string; changedAt: string }) => `${each.resourceId} ${each.changedAt}`,
      ),
    );
    this.cursor = page.pageInfo.endCursor;
    return page.pageInfo.hasNextPage;
  }

  /** The feed can't be followed from before its retention. */
  private readonly since = new Date(Date.now() - 3_600_000).toISOString();
}
