/**
 * The change feed reads the audit events. They are written in the transaction of the change, with
 * its version, so that none is missing, and the version clock of the organization puts them in
 * commit order. There is no second log to keep consistent.
 */
import type { GraphQLResolveInfo } from 'graphql';
import {
  Access,
  isManager,
  type Membership,
  type Principal,
  requireScopes,
} from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type ResourceType, resourceTypes } from '../../entities/change-feed.js';
import { ApiError } from '../../errors.js';
import type { Connection } from '../reads/connection.js';
import { decodeCursor, encodeCursor, type ListIdentity } from '../reads/cursor.js';
import { selectionOf } from '../reads/selection.js';
import type { PageRow } from './pages.js';
import { resources, resourceTypeOf } from './resources.js';
import { changeReadsOf } from './shared-reads.js';
import type { Change, ChangesArgs } from './type.js';

/**
 * Maximum number of events that one page scans for those visible to a member without a managing
 * role.
 */
const maxScanned = 2000;

const millisecondsPerDay = 86_400_000;

/** Returns the membership, after checking the read scope of every requested record type. */
function admit(
  principal: Principal,
  organizationId: string,
  types: readonly ResourceType[],
): Membership {
  const scopes = [...new Set(types.map((type) => resources[type].scope))];
  requireScopes(principal, scopes);
  return new Access(principal, scopes).organization(organizationId);
}

/** The later of two instants in the same text format. */
const later = (
  one: string | null | undefined,
  other: string | null | undefined,
): string | undefined =>
  [one, other].reduce<string | undefined>(
    (latest, each) => (each && !(latest && latest > each) ? each : latest),
    undefined,
  );

/**
 * A page of the changes of an organization, in commit order.
 * @throws {ApiError} `resync_required` when the changes after the position are not available.
 */
export async function listChanges(
  ctx: Context,
  info: GraphQLResolveInfo,
  principal: Principal,
  organizationId: string,
  args: ChangesArgs,
): Promise<Connection<Change>> {
  const types = args.resourceTypes?.length
    ? resourceTypes.filter((type) => args.resourceTypes?.includes(type))
    : resourceTypes;
  const membership = admit(principal, organizationId, types);
  const isPlain = !isManager(membership);
  const identity: ListIdentity = ['changes', organizationId, types];
  // A cursor issued with narrower visibility would skip changes that the caller can see now.
  const viewer = isPlain ? membership.memberId : organizationId;
  const after = args.after ? decodeCursor(identity, args.after, 'after') : undefined;
  if (after && after.id !== viewer) throw new ApiError('resync_required');
  const since = later(after?.updatedAt, args.changedAfter) ?? 'infinity';
  if (Date.parse(since) < Date.now() - ctx.config.CHANGES_RETENTION_DAYS * millisecondsPerDay)
    throw new ApiError('resync_required');

  const scanned = isPlain ? maxScanned : args.first + 1;
  const subjects = types.map((type) => resources[type].subject);
  const rows = await changeReadsOf(ctx).page({
    organizationId,
    since,
    subjects,
    memberId: isPlain ? membership.memberId : null,
    scanned,
    limit: args.first + 1,
  });
  const [{ now, count, last } = { now: null, count: 0, last: null }] = rows;
  // A position ahead of the clock belongs to a history that a restored backup does not contain.
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
    edges: selectionOf(info).has('edges')
      ? nodes.map((node) => ({ cursor: cursorOf(node.changedAt), node }))
      : [],
    pageInfo: {
      hasNextPage,
      hasPreviousPage: Boolean(args.after),
      startCursor: nodes[0] ? cursorOf(nodes[0].changedAt) : null,
      endCursor,
      nextCursor: hasNextPage ? endCursor : null,
    },
  };
}

function toChange(
  organizationId: string,
  { kind, subjectType, resourceId, changedAt, changedProperties }: PageRow,
): Change {
  const resourceType = resourceTypeOf.get(subjectType);
  if (!resourceType)
    throw new Error(`The journal has an event about ${subjectType}, which no change is about.`);
  return { kind, resourceType, resourceId, organizationId, changedAt, changedProperties };
}
