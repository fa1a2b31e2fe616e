/** Publishers: organizations whose standard definitions every organization can use. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { CertificationType, JobRole, Qualification } from '../../entities/definition.js';
import { Organization } from '../../entities/organization.js';
import { ApiError } from '../../errors.js';
import { elsewhere, lockPublisher, lockStandard } from './catalogue-statements.js';
import { requireOrganization } from './directory.js';
import { operator } from './people.js';

interface Owned {
  readonly entity: EntityClass<object>;
  readonly table: string;
  readonly called: string;
  /** Whether another organization uses the definition `d`. */
  readonly isUsed: string;
}

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
    const found = await lockPublisher(tx, slug);
    if (!found || found.isPublisher === isPublisher) return 0;
    const withdrawn = isPublisher ? [] : await withdrawals(tx, id, slug);
    const marked: Change = {
      organizationId: id,
      entity: Organization,
      key: { id },
      set: { isPublisher },
      from: { isPublisher: found.isPublisher },
    };
    await recordChanges(tx, operator, [...withdrawn, marked]);
    return withdrawn.length;
  });

async function withdrawals(tx: Database, organizationId: string, slug: string): Promise<Change[]> {
  if (tx.isDistributed)
    throw new ApiError(
      'conflict',
      `${slug} must stay a publisher: on a Citus cluster, the use of its definitions cannot be locked on all nodes.`,
    );
  const changes: Change[] = [];
  for (const { entity, table, called, isUsed } of owned) {
    // Concurrent first uses wait for this lock, and then fail.
    const rows = await lockStandard(tx, table, isUsed, organizationId);
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
