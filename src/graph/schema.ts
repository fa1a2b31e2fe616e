import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { connectResolvers } from './access.js';
import { JobRoleAssignmentResolver } from './assignments.js';
import { AuditEventResolver, OrganizationAuditResolver } from './audit-events.js';
import { HistoryResolver } from './certifications/history/resolver.js';
import { CertificationResolver } from './certifications/resolver.js';
import { ChangeResolver } from './changes/resolver.js';
import { withChanges } from './changes/schema.js';
import { definitionChangeResolvers } from './definitions/changes.js';
import { CertificationTypeResolver, JobRoleResolver } from './definitions/resolver.js';
import { IdentityResolver } from './identity.js';
import { showBuiltInTypes } from './input/shown-types.js';
import { LifecycleResolver } from './lifecycle/resolver.js';
import { CertificationHolderResolver, MemberResolver } from './members/resolver.js';
import { MembershipResolver } from './memberships/resolver.js';
import { NodeResolver, resolveNodeTypes } from './nodes.js';
import { OrganizationResolver } from './organizations.js';
import {
  QualificationRequirementResolver,
  QualificationResolver,
} from './qualifications/resolver.js';
import { QualificationResultResolver } from './results/resolver.js';
import { evaluationResolvers } from './results/resolvers.js';
import { UpsertResolver } from './upsert/resolver.js';

const built = buildSchemaSync({
  resolvers: [
    AuditEventResolver,
    CertificationHolderResolver,
    CertificationResolver,
    CertificationTypeResolver,
    ChangeResolver,
    ...definitionChangeResolvers,
    ...evaluationResolvers,
    HistoryResolver,
    IdentityResolver,
    JobRoleAssignmentResolver,
    JobRoleResolver,
    LifecycleResolver,
    MemberResolver,
    MembershipResolver,
    NodeResolver,
    OrganizationAuditResolver,
    OrganizationResolver,
    QualificationRequirementResolver,
    QualificationResolver,
    QualificationResultResolver,
    UpsertResolver,
  ],
  validate: false,
});

/** The executable schema, built once per process. */
export const schema: GraphQLSchema = resolveNodeTypes(
  withChanges(connectResolvers(showBuiltInTypes(built))),
);
