import { App, AppApproval, AppSecret, Grant, SigningKey } from './app.js';
import { Certification } from './certification.js';
import { AuditEvent, IdempotencyRecord } from './change-log.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from './definition.js';
import { JobRoleQualification } from './job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from './member.js';
import { Organization, OrganizationClock } from './organization.js';
import { User } from './user.js';

/** All entities, for MikroORM. */
export const entities = [
  App,
  AppApproval,
  AppSecret,
  AuditEvent,
  Certification,
  CertificationType,
  Grant,
  IdempotencyRecord,
  JobRole,
  JobRoleQualification,
  MemberJobRole,
  Organization,
  OrganizationClock,
  OrganizationMember,
  Qualification,
  QualificationRequirement,
  SigningKey,
  User,
];
