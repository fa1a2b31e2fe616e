/** Loads the demo set into a database. */
import { hashPassword } from '../auth/password.js';
import type { Database } from '../database/connection.js';
import { App, AppApproval, AppSecret } from '../entities/app.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from '../entities/definition.js';
import { JobRoleQualification } from '../entities/job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from '../entities/member.js';
import { Organization } from '../entities/organization.js';
import { User } from '../entities/user.js';
import { today } from '../scalars/day.js';
import { appRows, approvalRows, secretRows } from './apps.js';
import { certificationRows } from './certifications.js';
import { demoId } from './ids.js';
import { insertFree, insertOwned } from './insert.js';
import { publisher } from './organizations.js';
import { demoPassword } from './people.js';
import * as rows from './rows.js';
import { foreignOrganizations } from './traces.js';

/** `occupied`: nothing was done, because there are organizations of other origin. */
export type DemoOutcome = 'loaded' | 'present' | 'occupied';

/**
 * Loads the demo set in one transaction, dated relative to today. Concurrent processes load it
 * once. Changes nothing when it is loaded already.
 * @param besideOthers Whether to load it into a database with organizations of real people.
 */
export const loadDemo = (db: Database, { besideOthers = false } = {}): Promise<DemoOutcome> =>
  db.transaction(async (tx) => {
    await tx.query('lock table organizations in share row exclusive mode');
    const others = besideOthers
      ? []
      : await foreignOrganizations((sql, values) => tx.query(sql, values));
    if (others.length > 0) return 'occupied';
    const present = await tx.query('select from organizations where id = $1', [
      demoId('organization', publisher),
    ]);
    if (present.length > 0) return 'present';
    await insertAll(tx, today(), await hashPassword(demoPassword));
    return 'loaded';
  });

async function insertAll(tx: Database, day: string, passwordHash: string): Promise<void> {
  const founded = rows.organizationRows(day);
  await insertFree(tx, [
    [User, rows.userRows(day, passwordHash)],
    [Organization, founded.map((row) => ({ ...row, updatedAt: row.createdAt }))],
    [App, appRows(day)],
    [AppApproval, approvalRows(day)],
    [AppSecret, secretRows(day)],
  ]);
  await insertOwned(
    tx,
    [
      [CertificationType, rows.certificationTypeRows(day)],
      [Qualification, rows.qualificationRows(day)],
      [QualificationRequirement, rows.requirementRows(day)],
      [JobRole, rows.jobRoleRows(day)],
      [JobRoleQualification, rows.jobRoleQualificationRows(day)],
      [OrganizationMember, rows.memberRows(day)],
      [MemberJobRole, rows.memberJobRoleRows(day)],
    ],
    certificationRows(day),
    founded.map(({ id }) => id),
  );
}
