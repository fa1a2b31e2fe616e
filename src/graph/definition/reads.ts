/** Reading definitions: an organization uses its own and the standard ones of the shared catalogue. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { batch } from '../batch.js';
import type { Connection, SyncArgs } from '../connection.js';
import { type Arm, type Condition, contains } from '../keyset.js';
import { readPage, readPageBelow } from '../lists.js';
import { readRecord } from '../records.js';
import { selectionOf } from '../selection.js';
import { columnsFor, type Source } from '../source.js';

const source = (table: string, name: 'title' | 'name', derived: Source['derived'] = {}): Source => ({
  from: `${table} d`,
  columns: {
    id: 'd.id',
    organizationId: 'd.organization_id',
    slug: 'd.slug',
    [name]: `d.${name}`,
    description: 'd.description',
    scope: 'd.scope',
    status: 'd.status',
    createdAt: 'd.created_at',
    updatedAt: 'd.updated_at',
  },
  derived,
  always: ['id', 'updatedAt'],
});

/** The three kinds of definition: the list's name and where it is read from. */
export const kinds = {
  certificationTypes: source('certification_types', 'title'),
  qualifications: source('qualifications', 'name', { requirements: ['id'] }),
  jobRoles: source('job_roles', 'name'),
};
export type Kind = keyof typeof kinds;

// The scope stands in the text: an index of one scope serves no statement that has it for a value.
const standard: Condition = ["d.scope = 'standard'"];
const owned: Condition = ["d.scope = 'organization'"];

/** Name, slug and description: where free text is looked for. */
const searched = "d.name || ' ' || d.slug || ' ' || d.description";

interface Which {
  /** One organization's view; the caller's whole view when left out. */
  readonly organizationId?: string | null | undefined;
  readonly term?: string | null | undefined;
}

/** The definitions that an organization can use, or that the caller can read at all. */
export function listDefinitions<Row extends { id: string; updatedAt: string }>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  caller: Access,
  { organizationId, term }: Which,
  args: SyncArgs,
): Promise<Connection<Row>> {
  const organizations = organizationId ? [caller.organization(organizationId)] : caller.approvedOrganizations();
  const organizationIds = organizations.map((membership) => membership.organizationId);
  const where = term ? [contains(searched, term)] : [];
  const own = organizationIds.map((id): Arm => ({ equals: { 'd.organization_id': id }, where: [owned, ...where] }));
  const arms: Arm[] = [{ equals: {}, where: [standard, ...where] }, ...own];
  const identity = [organizationId ?? caller.principal.userId, term];
  return readPage(ctx, info, { name: kind, source: kinds[kind], arms, identity, clocks: { organizationIds, publishers: true } }, args);
}

/** The definitions that an organization owns, below the organization; batched. */
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
    { name: `${kind} owned`, source: kinds[kind], keys: { 'd.organization_id': organizationId }, where: [owned] },
    args,
  );

/**
 * One definition that an organization can use, or that the caller can read at all.
 * @throws {ApiError} `not_found`, also when it belongs to an organization that the caller can't reach.
 */
export async function readDefinition<Row extends object>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  caller: Access,
  id: string,
  organizationId?: string | null,
): Promise<Row> {
  const organizations = organizationId ? [caller.organization(organizationId)] : caller.approvedOrganizations();
  const owners = organizations.map((membership) => membership.organizationId);
  return readRecord(ctx, info, kinds[kind], `d.id = $1 and ${usable('d', '$2')}`, [id, owners]);
}

/** SQL: whether one of the organizations (an array) owns the definition, or all can use it. */
export const usable = (alias: string, organizations: string): string =>
  `(${alias}.scope = 'standard' or ${alias}.organization_id = any(${organizations}::uuid[]))`;

/** The definition behind an id that a record refers to, whoever owns it; batched. */
export function readReferredDefinition<Row extends { id: string }>(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  id: string,
): Promise<Row | undefined> {
  const from = kinds[kind];
  return batch<string, Row | undefined>(ctx, info, kind, async (ids) => {
    const { list, from: tables } = columnsFor(from, selectionOf(info));
    const rows = await ctx.db.query<Row>(`select ${list} from ${tables} where d.id = any($1)`, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((each) => byId.get(each));
  }).load(id);
}
