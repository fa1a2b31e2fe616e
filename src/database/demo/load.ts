/** Puts the demo set into a database. */
import type { EntityClass } from '@mikro-orm/core';
import { hashPassword } from '../../auth/password.js';
import { App, AppApproval, AppSecret } from '../../entities/app.js';
import { Certification } from '../../entities/certification.js';
import { today } from '../../entities/day.js';
import { CertificationType, JobRole, Qualification, QualificationRequirement } from '../../entities/definition.js';
import { JobRoleQualification } from '../../entities/job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from '../../entities/member.js';
import { Organization } from '../../entities/organization.js';
import { User } from '../../entities/user.js';
import { insertRows } from '../apply.js';
import { tick } from '../clock.js';
import type { Database } from '../connection.js';
import { recordHistory } from '../history.js';
import { appRows, approvalRows, secretRows } from './apps.js';
import { certificationRows } from './certifications.js';
import { demoId } from './ids.js';
import { publisher } from './organizations.js';
import { demoPassword } from './people.js';
import * as rows from './rows.js';

type Row = Record<string, unknown>;
type OwnedRow = Row & { readonly organizationId: string };

/**
 * Loads the demo set in one transaction, dated relative to today; processes that start at once load it once.
 * Changes nothing when it is there already.
 */
export const loadDemo = (db: Database): Promise<'loaded' | 'present'> =>
  db.transaction(async (tx) => {
    await tx.query('lock table organizations in share row exclusive mode');
    const present = await tx.query('select from organizations where id = $1', [demoId('organization', publisher)]);
    if (present.length > 0) return 'present';
    await insertAll(tx, today(), await hashPassword(demoPassword));
    return 'loaded';
  });

async function insertAll(tx: Database, day: string, passwordHash: string): Promise<void> {
  const organizations = rows.organizationRows(day);
  const free: [EntityClass<object>, Row[]][] = [
    [User, rows.userRows(day, passwordHash)],
    [Organization, organizations.map((row) => ({ ...row, updatedAt: row.createdAt }))],
    [App, appRows(day)],
    [AppApproval, approvalRows(day)],
    [AppSecret, secretRows(day)],
  ];
  const owned: [EntityClass<object>, OwnedRow[]][] = [
    [CertificationType, rows.certificationTypeRows(day)],
    [Qualification, rows.qualificationRows(day)],
    [QualificationRequirement, rows.requirementRows(day)],
    [JobRole, rows.jobRoleRows(day)],
    [JobRoleQualification, rows.jobRoleQualificationRows(day)],
    [OrganizationMember, rows.memberRows(day)],
    [MemberJobRole, rows.memberJobRoleRows(day)],
    [Certification, certificationRows(day)],
  ];
  for (const [entity, list] of free) await insertRows(tx, entity, Object.keys(list[0] ?? {}), list);

  const stamps = new Map<string, string[]>();
  for (const id of organizations.map((organization) => organization.id).sort()) {
    const count = owned.flatMap(([, list]) => list).filter((row) => row.organizationId === id).length;
    stamps.set(id, await tick(tx, id, count + 1));
  }
  const next = (organizationId: string) => stamps.get(organizationId)?.shift() ?? '';
  for (const [entity, list] of owned) {
    const stamped = list.map((row) => ({ ...row, updatedAt: next(row.organizationId) }));
    await insertRows(tx, entity, Object.keys(stamped[0] ?? {}), stamped);
  }
  const history = certificationRows(day).map(({ organizationId, id, createdAt }) => ({
    organizationId,
    id,
    effectiveOn: createdAt.slice(0, 10),
  }));
  await recordHistory(tx, { userId: null, appId: null, requestId: null }, history);
  for (const { id } of organizations) await tx.query('update organizations set updated_at = $2 where id = $1', [id, next(id)]);
}
