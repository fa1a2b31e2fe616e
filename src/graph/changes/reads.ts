/**
 * The feed of changes is read from the journal's own events: they are written with the change itself and carry its stamp, so that none can be missing, and
 * the clock of the organization puts them in commit order. There is no second log to keep in step.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { Access, isManager, type Membership, type Principal, requireScopes } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type ResourceType, resourceTypes } from '../../entities/change.js';
import { ApiError } from '../../errors.js';
import type { Connection } from '../connection.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../cursor.js';
import { selectionOf } from '../selection.js';
import { resources, resourceTypeOf } from './resources.js';
import type { Change, ChangesArgs } from './type.js';

/** Events that one page looks through for those that a plain member may see. */
const mostScanned = 2000;

const millisecondsPerDay = 86_400_000;

/** The membership, once every kind of record that is asked for may be read. */
function admit(principal: Principal, organizationId: string, types: readonly ResourceType[]): Membership {
  const scopes = [...new Set(types.map((type) => resources[type].scope))];
  requireScopes(principal, scopes);
  return new Access(principal, scopes).organization(organizationId);
}

/** What a plain member may see: what all may read, and what is or was the member's own. */
const visible = `case e.subject_type ${Object.values(resources)
  .map(({ subject, holder }) => (holder ? `when '${subject}' then ${holder.has}` : ''))
  .join(' ')} else true end`;

/** One statement: the clock, how far was looked, and the changes. $5 is how many events to look through, $6 how many changes to find. */
const pageStatement = (isPlain: boolean): string => `
  with scanned as materialized (
    select e.occurred_at, e.action, e.subject_type, e.subject_id, e.changes from audit_events e
    where e.organization_id = $1 and e.occurred_at > $2 and e.subject_type = any($3) order by e.occurred_at limit $5)
  select clock.now, looked.count, looked.last, page.*
  from (select (select ticked_at from organization_clocks where organization_id = $1) as now) clock,
    (select count(*)::int as count, max(occurred_at) as last from scanned) looked
    left join lateral (
      select e.occurred_at as "changedAt", e.action || 'd' as kind, e.subject_type as "subjectType", e.subject_id as "resourceId",
        array(select jsonb_object_keys(e.changes - 'reason')) as "changedProperties"
      from scanned e where ${isPlain ? visible : '$4::text is not null'} order by e.occurred_at limit $6) page on true
  order by page."changedAt"`;

interface Row extends Omit<Change, 'resourceType' | 'organizationId'> {
  readonly now: string | null;
  readonly count: number;
  readonly last: string | null;
  readonly subjectType: string;
}

/**
 * A page of the changes of an organization, in commit order.
 * @throws {ApiError} `resync_required` when what follows the position is not known (any more).
 */
export async function listChanges(
  ctx: Context,
  info: GraphQLResolveInfo,
  principal: Principal,
  organizationId: string,
  args: ChangesArgs,
): Promise<Connection<Change>> {
  const types = args.resourceTypes?.length ? resourceTypes.filter((type) => args.resourceTypes?.includes(type)) : resourceTypes;
  const membership = admit(principal, organizationId, types);
  const isPlain = !isManager(membership);
  const identity: ListIdentity = ['changes', organizationId, types];
  // A cursor of someone who saw less would hide what the person sees now.
  const viewer = isPlain ? membership.memberId : organizationId;
  const after = args.after ? decodeCursor(identity, args.after, 'after') : undefined;
  if (after && after.id !== viewer) throw new ApiError('resync_required');
  const since = after?.updatedAt ?? args.changedAfter ?? 'infinity';
  if (Date.parse(since) < Date.now() - ctx.config.CHANGES_RETENTION_DAYS * millisecondsPerDay) throw new ApiError('resync_required');

  const scanned = isPlain ? mostScanned : args.first + 1;
  const subjects = types.map((type) => resources[type].subject);
  const rows = await ctx.db.query<Row>(pageStatement(isPlain), [organizationId, since, subjects, viewer, scanned, args.first + 1]);
  const [{ now, count, last } = { now: null, count: 0, last: null }] = rows;
  // A position ahead of the clock is one of a past that a restored backup doesn't have.
  if (after && (now === null || after.updatedAt > now)) throw new ApiError('resync_required');

  const found = rows.filter(({ changedAt }) => changedAt !== null);
  const nodes = found.slice(0, args.first).map((row) => toChange(organizationId, row));
  const isCut = found.length > args.first;
  const hasNextPage = isCut || count === scanned;
  const reached = (isCut ? nodes.at(-1)?.changedAt : last) ?? after?.updatedAt ?? now;
  const cursorOf = (updatedAt: string) => encodeCursor(identity, { updatedAt, id: viewer });
  const endCursor = reached && cursorOf(reached);
  return {
    nodes,
    edges: selectionOf(info).has('edges') ? nodes.map((node) => ({ cursor: cursorOf(node.changedAt), node })) : [],
    pageInfo: {
      hasNextPage,
      hasPreviousPage: Boolean(args.after),
      startCursor: nodes[0] ? cursorOf(nodes[0].changedAt) : null,
      endCursor,
      nextCursor: hasNextPage ? endCursor : null,
    },
  };
}

function toChange(organizationId: string, { kind, subjectType, resourceId, changedAt, changedProperties }: Row): Change {
  const resourceType = resourceTypeOf.get(subjectType);
  if (!resourceType) throw new Error(`The journal has an event about ${subjectType}, which no change is about.`);
  return { kind, resourceType, resourceId, organizationId, changedAt, changedProperties };
}
