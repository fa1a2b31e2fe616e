import { App, AppApproval, AppSecret, Grant, SigningKey } from './app.js';
import { Certification } from './certification.js';
import { AuditEvent, IdempotencyRecord } from './change-log.js';
import { OneTimeLink, Passkey, PasskeyChallenge, WebSession } from './credentials.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from './definition.js';
import { Invitation, UnsettledMember } from './invitation.js';
import { JobRoleQualification } from './job-role-qualification.js';
import { MemberJobRole, OrganizationMember } from './member.js';
import { OAuthModel, RevokedToken } from './oauth.js';
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
  Invitation,
  JobRole,
  JobRoleQualification,
  MemberJobRole,
  OAuthModel,
  OneTimeLink,
  Organization,
  OrganizationClock,
  OrganizationMember,
  Passkey,
  PasskeyChallenge,
  Qualification,
  QualificationRequirement,
  RevokedToken,
  SigningKey,
  UnsettledMember,
  User,
  WebSession,
];
