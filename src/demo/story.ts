/**
 * What happened to the records of the demo set, step by step: a technician is invited, accepts, gets
 * a job role and certifications; records are verified, replaced and revoked.
 */
import type { EntityClass } from '@mikro-orm/core';
import { pick } from '../catalogue/table.js';
import { Certification, type LifecycleStatus } from '../entities/certification.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from '../entities/definition.js';
import { JobRoleQualification } from '../entities/job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from '../entities/member.js';
import { Organization } from '../entities/organization.js';
import { dayAfter } from '../scalars/day.js';
import { appRows, approvalRows } from './apps.js';
import { certificationRows } from './certifications.js';
import { type Author, operator, type Step, type Subject } from './chronicle.js';
import { momentOf } from './days.js';
import { holdings } from './holdings.js';
import { demoId } from './ids.js';
import { persons } from './people.js';
import * as rows from './rows.js';

type CertificationRow = ReturnType<typeof certificationRows>[number];

const minutes = 60_000;
const later = (at: string, milliseconds: number): string =>
  new Date(Date.parse(at) + milliseconds).toISOString();
const latest = (...instants: string[]): string => instants.sort().at(-1) ?? '';

/** Why a record is no longer active. */
export const endReasons: Readonly<Record<Exclude<LifecycleStatus, 'active'>, string>> = {
  revoked: 'The issuer withdrew the certificate after an audit of the course.',
  archived: 'A newer certificate replaces it.',
};

/** All records of organizations in the demo set, in the order of their foreign keys. */
export function demoStory(day: string): Subject[] {
  return [
    ...made(Organization, ['id'], rows.organizationRows(day), 'id'),
    ...made(CertificationType, ['id'], rows.certificationTypeRows(day)),
    ...made(Qualification, ['id'], rows.qualificationRows(day)),
    ...made(
      QualificationRequirement,
      ['qualificationId', 'certificationTypeId'],
      rows.requirementRows(day),
    ),
    ...made(JobRole, ['id'], rows.jobRoleRows(day)),
    ...made(
      JobRoleQualification,
      ['jobRoleId', 'qualificationId'],
      rows.jobRoleQualificationRows(day),
    ),
    ...members(day),
    ...jobRoles(day),
    ...certifications(day),
  ];
}

/** Records that the operator creates when the organization is set up. */
const made = (
  entity: EntityClass<object>,
  key: readonly string[],
  all: readonly (Readonly<Record<string, unknown>> & { readonly createdAt: string })[],
  owner = 'organizationId',
): Subject[] =>
  all.map(({ createdAt, ...row }) => {
    const isKey = ([name]: [string, unknown]) => key.includes(name);
    const { organizationId, ...rest } = row;
    const set = Object.fromEntries(Object.entries(rest).filter((each) => !isKey(each)));
    return {
      organizationId: String(row[owner]),
      entity,
      key: Object.fromEntries(Object.entries(row).filter(isKey)),
      ...(organizationId !== undefined && { hidden: { organizationId } }),
      steps: [{ at: createdAt, by: operator, set }],
    };
  });

/** When people accepted their invitation: soon after it. */
const acceptedAt = (row: { readonly createdAt: string }, number: number): string =>
  later(row.createdAt, (40 + ((number * 17) % 60)) * minutes);

/** The admins and managers at work at an instant, and the apps in use, by organization. */
function officeOf(day: string) {
  const memberships = rows.memberRows(day);
  const staff = persons.flatMap(({ role, status, number, email }, index) => {
    const row = memberships[index];
    return row && status === 'active' && (role === 'admin' || role === 'manager')
      ? [{ ...row, role, email, from: acceptedAt(row, number) }]
      : [];
  });
  const dashboard = demoId('app', 'demo-dashboard');
  const sync = demoId('app', 'demo-sync');
  const dashboardFrom = appRows(day).find(({ id }) => id === dashboard)?.createdAt ?? '';
  const approvals = approvalRows(day).filter(({ appId }) => appId === sync);
  const through = (at: string) => (at > dashboardFrom ? dashboard : null);
  const by = (organizationId: string, at: string, number: number): Author => {
    const present = staff.filter(
      (each) => each.organizationId === organizationId && each.from < at,
    );
    return present.length > 0
      ? { userId: pick(present, number).userId, appId: through(at) }
      : operator;
  };
  return {
    by,
    self: (userId: string, at: string): Author => ({ userId, appId: through(at) }),
    /** An integration, from its approval on. */
    integration: (organizationId: string, at: string, number: number): Author => {
      const approval = approvals.find((each) => each.organizationId === organizationId);
      return approval && approval.approvedAt < at
        ? { userId: approval.approvedBy, appId: sync }
        : by(organizationId, at, number);
    },
  };
}

function members(day: string): Subject[] {
  const office = officeOf(day);
  return rows.memberRows(day).map((row, index) => {
    const { organizationId, id, createdAt, ...set } = row;
    const number = persons[index]?.number ?? 0;
    const invited = { ...set, userId: id, status: 'invited', isPrimary: false };
    const steps: Step[] = [
      { at: createdAt, by: office.by(organizationId, createdAt, number), set: invited },
    ];
    if (set.status !== 'invited')
      steps.push({
        at: acceptedAt(row, number),
        by: { userId: set.userId, appId: null },
        set: {
          userId: set.userId,
          status: 'active',
          ...(set.isPrimary && { isPrimary: true }),
        },
      });
    if (set.status === 'suspended') {
      const at = momentOf(dayAfter(day, -2), number);
      steps.push({ at, by: office.by(organizationId, at, number), set: { status: 'suspended' } });
    }
    return { organizationId, entity: OrganizationMember, key: { organizationId, id }, steps };
  });
}

/** The first job role comes with the invitation, others later. */
function jobRoles(day: string): Subject[] {
  const office = officeOf(day);
  const recent = momentOf(dayAfter(day, -5), 0);
  return rows.memberJobRoleRows(day).map((row, number) => {
    const { organizationId, organizationMemberId, jobRoleId, isPrimary, assignedAt } = row;
    const further = later(assignedAt, (60 + ((number * 13) % 90)) * 1440 * minutes);
    const soon = later(assignedAt, 10 * minutes);
    const at = isPrimary ? soon : latest(soon, further < recent ? further : recent);
    return {
      organizationId,
      entity: MemberJobRole,
      key: { organizationId, organizationMemberId, jobRoleId },
      steps: [{ at, by: office.by(organizationId, at, number), set: { isPrimary } }],
    };
  });
}

function certifications(day: string): Subject[] {
  const office = officeOf(day);
  const all = certificationRows(day);
  const accepted = new Map(
    rows
      .memberRows(day)
      .map((row, index) => [row.id, acceptedAt(row, persons[index]?.number ?? 0)]),
  );
  /** Records are entered by members, thus after they have joined. */
  const enteredAt = (row: CertificationRow): string =>
    latest(row.createdAt, later(accepted.get(row.organizationMemberId) ?? '', 20 * minutes));
  const current = new Map(
    all.flatMap((row, number) => (holdings[number]?.isPrevious ? [] : [[heldOf(row), row]])),
  );
  return all.map((row, number) => {
    const { organizationId, id, createdAt: _, ...stored } = row;
    const at = enteredAt(row);
    const entered = {
      ...stored,
      lifecycleStatus: 'active',
      verificationStatus: 'unverified',
      verificationMethod: null,
      lastVerifiedAt: null,
    };
    const steps: Step[] = [{ at, by: enteredBy(row, at, number), set: entered }];
    const check = checkOf(row, at, number);
    if (check) steps.push(check);
    const end = endOf(row, check?.at ?? at, number);
    if (end) steps.push(end);
    return { organizationId, entity: Certification, key: { organizationId, id }, steps };
  });

  function enteredBy(row: CertificationRow, at: string, number: number): Author {
    if (row.source === 'self-reported') return office.self(row.userId, at);
    return row.source === 'manual'
      ? office.by(row.organizationId, at, number)
      : office.integration(row.organizationId, at, number);
  }

  function checkOf(row: CertificationRow, entered: string, number: number): Step | undefined {
    const { organizationId, verificationStatus, verificationMethod, lastVerifiedAt } = row;
    if (verificationStatus === 'unverified') return undefined;
    const at = lastVerifiedAt ?? later(entered, 1440 * minutes);
    const by = office.by(organizationId, at, number);
    const isDecided = lastVerifiedAt !== null;
    return {
      at,
      by,
      set: { verificationStatus, ...(isDecided && { verificationMethod, lastVerifiedAt }) },
    };
  }

  /** A record is archived when its successor is entered, and revoked weeks after its last change. */
  function endOf(row: CertificationRow, last: string, number: number): Step | undefined {
    const { organizationId, lifecycleStatus } = row;
    if (lifecycleStatus === 'active') return undefined;
    const successor = current.get(heldOf(row));
    const weeks = later(last, (10 + ((number * 7) % 60)) * 1440 * minutes);
    const recent = momentOf(dayAfter(day, -1), number);
    const earliest = later(last, 12 * minutes);
    const at =
      lifecycleStatus === 'archived' && successor
        ? latest(earliest, later(enteredAt(successor), 12 * minutes))
        : latest(earliest, weeks < recent ? weeks : recent);
    return {
      at,
      by: office.by(organizationId, at, number),
      set: { lifecycleStatus },
      reason: endReasons[lifecycleStatus],
    };
  }
}

/** Equal for a record and its successor. */
const heldOf = (row: CertificationRow): string =>
  `${row.organizationMemberId}/${row.certificationTypeId}`;
