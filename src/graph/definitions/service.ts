import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { recordChanges } from '../../database/record-changes.js';
import {
  CertificationType,
  type Definition,
  type DefinitionStatus,
  JobRole,
  Qualification,
  slugOf,
} from '../../entities/definition.js';
import { ApiError, invalid } from '../../errors.js';
import { difference } from '../../rules/difference.js';
import { definitionTransitions, requireTransition } from '../../rules/transitions.js';
import { requireVersion } from '../input/precondition.js';
import { actorOf, lockRecord, readingOf, sent } from '../reads/records.js';
import { available, type Kind, kinds } from './reads.js';

const entities: Record<Kind, EntityClass<object>> = {
  certificationTypes: CertificationType,
  qualifications: Qualification,
  jobRoles: JobRole,
};

interface NewDefinition {
  slug?: string | null;
  title?: string;
  name?: string;
  description?: string | null;
}

/**
 * Creates a definition in the organization of the membership.
 * @returns The fields that `info` selects.
 */
export async function createDefinition(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  { organizationId }: Membership,
  input: NewDefinition,
): Promise<object | undefined> {
  const slug = input.slug ?? slugOf(input.title ?? input.name ?? '');
  if (!slug)
    throw invalid({ slug: ['is required, because none can be derived from the title or name'] });
  const set = {
    ...sent(input),
    organizationId,
    slug,
    description: input.description ?? '',
    scope: 'organization',
    status: 'active',
  };
  const added = { organizationId, entity: entities[kind], key: { id: randomUUIDv7() }, set };
  const [definition] = await recordChanges(
    ctx.db,
    actorOf(ctx),
    [added],
    readingOf(info, kinds[kind]),
  );
  return definition;
}

type Stored = Pick<Definition, 'id' | 'organizationId' | 'scope' | 'status' | 'updatedAt'>;

/**
 * Locks a definition that the organization owns.
 * @param next As in {@link lockRecord}.
 * @throws {ApiError} `not_found` when the organization cannot use it, `forbidden` for a standard
 * definition of another organization; as {@link requireVersion}.
 */
export async function lockOwnDefinition(
  ctx: Context,
  kind: Kind,
  organizationId: string,
  id: string,
  ifUpdatedAt: string | null | undefined,
  next?: () => Promise<void>,
): Promise<Stored> {
  const row = await lockRecord<Stored>(
    ctx.db,
    kinds[kind],
    'd.id = $1 and d.organization_id = $2',
    [id, organizationId],
    next,
  );
  if (!row) throw await refusalOf(ctx, kind, organizationId, id);
  requireVersion(ctx, row, ifUpdatedAt);
  return row;
}

/**
 * The error for a definition that the organization does not own. The row belongs to another
 * organization and is not locked.
 */
async function refusalOf(
  ctx: Context,
  kind: Kind,
  organizationId: string,
  id: string,
): Promise<ApiError> {
  const where = `d.id = $1 and ${available('d', '$2')}`;
  const found = await ctx.db.query(`select from ${kinds[kind].from} where ${where}`, [
    id,
    [organizationId],
  ]);
  if (found.length === 0) return new ApiError('not_found');
  return new ApiError(
    'forbidden',
    'This is a standard definition: only the organization that publishes it can change it.',
  );
}

/** Changes the given properties. Writes nothing if no value differs. */
export async function updateDefinition(
  ctx: Context,
  kind: Kind,
  { organizationId }: Membership,
  id: string,
  input: object,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const edit = sent<Record<string, unknown>>({ ...input });
  const stored = await lockOwnDefinition(ctx, kind, organizationId, id, ifUpdatedAt);
  await change(ctx, kind, stored, edit);
}

/**
 * Archives or restores a definition.
 * @throws {ApiError} `invalid_transition` when it already has the status.
 */
export async function moveDefinition(
  ctx: Context,
  kind: Kind,
  { organizationId }: Membership,
  id: string,
  status: DefinitionStatus,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const stored = await lockOwnDefinition(ctx, kind, organizationId, id, ifUpdatedAt);
  requireTransition(definitionTransitions, stored.status, status);
  await change(ctx, kind, stored, { status });
}

async function change(
  ctx: Context,
  kind: Kind,
  stored: Stored,
  edit: Record<string, unknown>,
): Promise<void> {
  const { organizationId, id } = stored;
  const set = difference(edit, { ...stored });
  if (Object.keys(set).length === 0) return;
  await recordChanges(ctx.db, actorOf(ctx), [
    { organizationId, entity: entities[kind], key: { id }, set, from: { ...stored } },
  ]);
}
