import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { write } from '../../database/journal.js';
import { CertificationType, type Definition, type DefinitionStatus, JobRole, Qualification, slugOf } from '../../entities/definition.js';
import { difference } from '../../entities/difference.js';
import { definitionMoves, requireMove } from '../../entities/transitions.js';
import { ApiError, invalid } from '../../errors.js';
import { actorOf, lockRecord, refuseNull, sent, writtenRecord } from '../records.js';
import { type Kind, kinds, usable } from './reads.js';

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
 * Makes a definition of the membership's organization.
 * @returns What `info` asks for of it.
 */
export async function createDefinition(
  ctx: Context,
  info: GraphQLResolveInfo,
  kind: Kind,
  { organizationId }: Membership,
  input: NewDefinition,
): Promise<object | undefined> {
  const slug = input.slug ?? slugOf(input.title ?? input.name ?? '');
  if (!slug) throw invalid({ slug: ['is required here, because none can be made from the title or name'] });
  const set = { ...sent(input), organizationId, slug, description: input.description ?? '', scope: 'organization', status: 'active' };
  const added = { organizationId, entity: entities[kind], key: { id: randomUUIDv7() }, set };
  const [definition] = await write(ctx.db, actorOf(ctx), [added], writtenRecord(info, kinds[kind]));
  return definition;
}

type Stored = Pick<Definition, 'id' | 'organizationId' | 'scope' | 'status'>;

/**
 * Locks a definition that the organization owns.
 * @throws {ApiError} `not_found` when the organization can't use it, `forbidden` when it is another's that all can use.
 */
export async function lockOwnDefinition(ctx: Context, kind: Kind, organizationId: string, id: string): Promise<Stored> {
  const row = await lockRecord<Stored>(ctx.db, kinds[kind], `d.id = $1 and ${usable('d', '$2')}`, [id, [organizationId]]);
  if (!row) throw new ApiError('not_found');
  if (row.organizationId !== organizationId) {
    throw new ApiError('forbidden', 'This is a standard definition: only the organization that publishes it can change it.');
  }
  return row;
}

/** Changes the properties that were sent; nothing at all when they are as they were. */
export async function updateDefinition(ctx: Context, kind: Kind, { organizationId }: Membership, id: string, input: object): Promise<void> {
  const edit = sent<Record<string, unknown>>({ ...input });
  refuseNull(edit, ...Object.keys(edit));
  const stored = await lockOwnDefinition(ctx, kind, organizationId, id);
  await change(ctx, kind, stored, edit);
}

/**
 * Archives or restores a definition.
 * @throws {ApiError} `invalid_transition` when it is so already.
 */
export async function moveDefinition(
  ctx: Context,
  kind: Kind,
  { organizationId }: Membership,
  id: string,
  status: DefinitionStatus,
): Promise<void> {
  const stored = await lockOwnDefinition(ctx, kind, organizationId, id);
  requireMove(definitionMoves, stored.status, status);
  await change(ctx, kind, stored, { status });
}

async function change(ctx: Context, kind: Kind, stored: Stored, edit: Record<string, unknown>): Promise<void> {
  const { organizationId, id } = stored;
  const set = difference(edit, { ...stored });
  if (Object.keys(set).length === 0) return;
  await write(ctx.db, actorOf(ctx), [{ organizationId, entity: entities[kind], key: { id }, set, from: { ...stored } }]);
}
