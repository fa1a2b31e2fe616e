import type { EntityClass } from '@mikro-orm/core';
import { v7 as uuidv7 } from 'uuid';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { difference, write } from '../../database/journal.js';
import { CertificationType, type DefinitionScope, JobRole, Qualification, slugOf } from '../../entities/definition.js';
import { ApiError, invalid } from '../../errors.js';
import { actorOf, lockRecord, refuseNull, sent } from '../records.js';
import { type Kind, kinds, usable } from './reads.js';
import type { JobRoleUpdate } from './type.js';

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
 * @returns The id of the new definition.
 */
export async function createDefinition(ctx: Context, kind: Kind, { organizationId }: Membership, input: NewDefinition): Promise<string> {
  const slug = input.slug ?? slugOf(input.title ?? input.name ?? '');
  if (!slug) throw invalid({ slug: ['is required here, because none can be made from the title or name'] });
  const id = uuidv7();
  const set = { ...sent(input), organizationId, slug, description: input.description ?? '', scope: 'organization', status: 'active' };
  await write(ctx.db, actorOf(ctx), [{ organizationId, entity: entities[kind], key: { id }, set }]);
  return id;
}

/**
 * Locks a definition that the organization owns.
 * @throws {ApiError} `not_found` when the organization can't use it, `forbidden` when it is another's that all can use.
 */
export async function lockOwnDefinition<Row extends { organizationId: string; scope: DefinitionScope }>(
  ctx: Context,
  kind: Kind,
  organizationId: string,
  id: string,
): Promise<Row> {
  const row = await lockRecord<Row>(ctx.db, kinds[kind], `d.id = $1 and ${usable('d', '$2')}`, [id, [organizationId]]);
  if (!row) throw new ApiError('not_found');
  if (row.organizationId !== organizationId) {
    throw new ApiError('forbidden', 'This is a standard definition: only the organization that publishes it can change it.');
  }
  return row;
}

/** Changes the properties that were sent; nothing at all when they are as they were. */
export async function updateJobRole(ctx: Context, { organizationId }: Membership, id: string, input: JobRoleUpdate): Promise<void> {
  refuseNull(input, 'slug', 'name', 'description');
  const role = await lockOwnDefinition<JobRole>(ctx, 'jobRoles', organizationId, id);
  const set = difference(sent(input), { ...role });
  if (Object.keys(set).length === 0) return;
  await write(ctx.db, actorOf(ctx), [{ organizationId, entity: JobRole, key: { id }, set, from: { ...role } }]);
}
