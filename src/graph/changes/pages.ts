/** Reads pages of the change feed: one statement for all viewers at the same position. */
import type { Database } from '../../database/connection.js';
import { lastStamp } from '../../database/version-clock.js';
import { resources } from './resources.js';
import type { Change } from './type.js';

/** The changes of an organization after a position, as one viewer may see them. */
export interface PageRequest {
  readonly organizationId: string;
  /** Exclusive lower bound of the time. */
  readonly since: string;
  readonly subjects: readonly string[];
  /** The member who sees only what is or was their own, or all members can read; null for managers. */
  readonly memberId: string | null;
  /** Maximum number of scanned events, and of returned changes. */
  readonly scanned: number;
  readonly limit: number;
}

export interface PageRow extends Omit<Change, 'resourceType' | 'organizationId'> {
  /** The last stamp of the organization; null without a clock. */
  readonly now: string | null;
  /** The number of scanned events, and the time of the last. */
  readonly count: number;
  readonly last: string | null;
  readonly subjectType: string;
}

/**
 * SQL condition for members without a managing role: records that all members can read, and records
 * that are or were their own.
 */
const visible = `case e.subject_type ${Object.values(resources)
  .map(({ subject, holder }) => (holder ? `when '${subject}' then ${holder.has}` : ''))
  .join(' ')} else true end`;

/**
 * One statement returns the clock, the last scanned position and the changes, for each viewer $4. $5
 * limits the scanned events, $6 the returned changes of a viewer.
 */
const pageStatement = (isPlain: boolean): string => `
  with scanned as materialized (
    select e.occurred_at, e.action, e.subject_type, e.subject_id, e.changes from audit_events e
    where e.organization_id = $1 and e.occurred_at > $2 and e.subject_type = any($3) order by e.occurred_at limit $5)
  select viewer.member_id as "memberId", clock.now, looked.count, looked.last, page.*
  from (select (select ${lastStamp('c')} from organization_clocks c where c.organization_id = $1) as now) clock,
    (select count(*)::int as count, max(occurred_at) as last from scanned) looked,
    unnest($4::text[]) as viewer (member_id)
    left join lateral (
      select e.occurred_at as "changedAt", e.action || 'd' as kind, e.subject_type as "subjectType", e.subject_id as "resourceId",
        array(select jsonb_object_keys(e.changes - 'reason')) as "changedProperties"
      from scanned e where ${isPlain ? visible : 'viewer.member_id is null'} order by e.occurred_at limit $6) page on true
  order by page."changedAt"`;

const statements = { plain: pageStatement(true), managing: pageStatement(false) };

/** @returns The rows of each request. Requests that differ only in the viewer share a statement. */
export async function readPages(
  db: Database,
  requests: readonly PageRequest[],
): Promise<(readonly PageRow[])[]> {
  const rows = new Map<PageRequest, readonly PageRow[]>();
  const groups = Map.groupBy(requests, ({ memberId, ...page }) =>
    JSON.stringify([page, memberId === null]),
  );
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [{ organizationId, since, subjects, memberId, scanned, limit }] = group as [
        PageRequest,
      ];
      const viewers = [...new Set(group.map((request) => request.memberId))];
      const found = await db.query<PageRow & { memberId: string | null }>(
        memberId === null ? statements.managing : statements.plain,
        [organizationId, since, subjects, viewers, scanned, limit],
      );
      const byViewer = Map.groupBy(found, (row) => row.memberId);
      for (const request of group) rows.set(request, byViewer.get(request.memberId) ?? []);
    }),
  );
  return requests.map((request) => rows.get(request) ?? []);
}
