/** Publishers: organizations whose standard definitions every organization can use. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { CertificationType, JobRole, Qualification } from '../../entities/definition.js';
import { Organization } from '../../entities/organization.js';
import { ApiError } from '../../errors.js';
import { requireOrganization } from './directory.js';
import { operator } from './people.js';

interface Owned {
  readonly entity: EntityClass<object>;
  readonly table: string;
  readonly called: string;
  /** Whether another organization uses the definition `d`. */
  readonly isUsed: string;
}

const elsewhere = (table: string, column: string) =>
  `exists (select from ${table} x where x.${column} = d.id and x.organization_id <> d.organization_id)`;

const owned: readonly Owned[] = [
  {
    entity: CertificationType,
    table: 'certification_types',
    called: 'certification types',
    isUsed: `${elsewhere('certifications', 'certification_type_id')} or ${elsewhere('qualification_requirements', 'certification_type_id')}`,
  },
  {
    entity: Qualification,
    table: 'qualifications',
    called: 'qualifications',
    isUsed: elsewhere('job_role_qualifications', 'qualification_id'),
  },
  {
    entity: JobRole,
    table: 'job_roles',
    called: 'job roles',
    isUsed: elsewhere('member_job_roles', 'job_role_id'),
  },
];

/**
 * Makes an organization a publisher, or ends that. At the end, the standard definitions become the
 * organization's own, which is refused while others use one.
 * @returns The number of definitions that are no longer standard.
 * @throws {ApiError} `not_found`, or `conflict`.
 */
export const setPublisher = (db: Database, slug: string, isPublisher: boolean): Promise<number> =>
  db.transaction(async (tx) => {
    const { id } = await requireOrganization(tx, slug);
    // Also excludes a concurrent load of the catalogue.
    const [found] = await tx.query<{ isPublisher: boolean }>(
      'select is_publisher as "isPublisher" from organizations where id = $1 for no key update',
      [id],
    );
    if (!found || found.isPublisher === isPublisher) return 0;
    const withdrawn = isPublisher ? [] : await withdrawals(tx, id, slug);
    const marked: Change = {
      organizationId: id,
      entity: Organization,
      key: { id },
      set: { isPublisher },
      from: found,
    };
    await recordChanges(tx, operator, [...withdrawn, marked]);
    return withdrawn.length;
  });

async function withdrawals(tx: Database, organizationId: string, slug: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const { entity, table, called, isUsed } of owned) {
    // Concurrent first uses wait for this lock, and then fail.
    const rows = await tx.query<{ id: string; slug: string; isUsed: boolean }>(
      `select d.id, d.slug, (${isUsed}) as "isUsed" from ${table} d where d.organization_id = $1 and d.scope = 'standard' order by d.slug for update of d`,
      [organizationId],
    );
    const used = rows.filter((row) => row.isUsed).map((row) => row.slug);
    if (used.length > 0) {
      const shown =
        used.length > 3
          ? `${used.slice(0, 3).join(', ')} and ${used.length - 3} more`
          : used.join(', ');
      throw new ApiError(
        'conflict',
        `${slug} must stay a publisher: other organizations use its ${called} ${shown}.`,
      );
    }
    for (const { id } of rows)
      changes.push({
        organizationId,
        entity,
        key: { id },
        set: { scope: 'organization' },
        from: { scope: 'standard' },
      });
  }
  return changes;
}
