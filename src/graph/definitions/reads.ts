/** Reads definitions. An organization can use its own definitions and the standard ones. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { CertificationType, JobRole, Qualification } from '../../entities/definition.js';
import { batch } from '../reads/batch.js';
import type { Connection, SyncArgs } from '../reads/connection.js';
import { type Branch, type Condition, contains } from '../reads/keyset.js';
import { readPage, readPageBelow } from '../reads/lists.js';
import { columnsFor, projectionOf } from '../reads/projection.js';
import { readRecord } from '../reads/records.js';
import { selectionOf } from '../reads/selection.js';

const always = ['id', 'updatedAt'];

/** The three kinds of definition, with list name and source. */
export const kinds = {
  certificationTypes: projectionOf(CertificationType, 'd', { always }),
  qualifications: projectionOf(Qualification, 'd', { derived: { requirements: ['id'] }, always }),
  jobRoles: projectionOf(JobRole, 'd', { always }),
};
export type Kind = keyof typeof kinds;

// The scope is a literal in SQL: with a parameter, PostgreSQL cannot use the partial index of one
// scope.
const standard: Condition = ["d.scope = 'standard'"];
const owned: Condition = ["d.scope = 'organization'"];

/** The searched text: name, slug and description. */
const searched = "d.name || ' ' || d.slug || ' ' || d.description";

interface Which {
  /** The organization; all that the caller can read when omitted. */
  readonly organizationId?: string | null | undefined;
  readonly term?: string | null | undefined;
}

/** The definitions that an organization can use, or all that the caller can read. */
export function listDefinitions<Row extends { id: string; updatedAt: string }>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  caller: Access,
  { organizationId, term }: Which,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const organizations = organizationId
    ? [caller.organization(organizationId)]
    : caller.approvedOrganizations();
  const organizationIds = organizations.map((membership) => membership.organizationId);
  const where = term ? [contains(searched, term)] : [];
  const own = organizationIds.map(
    (id): Branch => ({ equals: { 'd.organization_id': id }, where: [owned, ...where] }),
  );
  const branches: Branch[] = [{ equals: {}, where: [standard, ...where] }, ...own];
  const identity = [organizationId ?? caller.principal.userId, term];
  return readPage(
    ctx,
    info,
    {
      name: kind,
      projection: kinds[kind],
      branches,
      identity,
      clocks: { organizationIds, publishers: true },
    },
    args,
  );
}

/** The definitions that an organization owns; batched. */
export const listDefinitionsOf = <Row extends { id: string; updatedAt: string }>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  organizationId: string,
  args: SyncArgs,
): Promise<Connection<Row>> =>
  readPageBelow(
    ctx,
    info,
    {
      name: `${kind} owned`,
      projection: kinds[kind],
      keys: { 'd.organization_id': organizationId },
      where: [owned],
    },
    args,
  );

/**
 * One definition that an organization can use, or that the caller can read.
 * @throws {ApiError} `not_found`, also when the caller cannot access its organization.
 */
export async function readDefinition<Row extends object>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  caller: Access,
  id: string,
  organizationId?: string | null,
): Promise<Row> {
  const organizations = organizationId
    ? [caller.organization(organizationId)]
    : caller.approvedOrganizations();
  const owners = organizations.map((membership) => membership.organizationId);
  return readRecord(ctx, info, kinds[kind], `d.id = $1 and ${available('d', '$2')}`, [id, owners]);
}

/** SQL condition: one of the organizations (an array) owns the definition, or it is standard. */
export const available = (alias: string, organizations: string): string =>
  `(${alias}.scope = 'standard' or ${alias}.organization_id = any(${organizations}::uuid[]))`;

/** The definition that a record refers to, regardless of its owner; batched. */
export function readReferredDefinition<Row extends { id: string }>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  id: string,
): Promise<Row | undefined> {
  const from = kinds[kind];
  return batch<string, Row | undefined>(ctx, info, kind, async (ids) => {
    const { list, from: tables } = columnsFor(from, selectionOf(info));
    const rows = await ctx.db.query<Row>(`select ${list} from ${tables} where d.id = any($1)`, [
      ids,
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((each) => byId.get(each));
  }).load(id);
}
