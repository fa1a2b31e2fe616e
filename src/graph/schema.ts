import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import { connectResolvers } from './access.js';
import { JobRoleAssignmentResolver } from './assignment/resolver.js';
import { AuditEventResolver, OrganizationAuditResolver } from './audit/resolver.js';
import { CertificationResolver } from './certification/resolver.js';
import { ChangeResolver } from './changes/resolver.js';
import { withChanges } from './changes/schema.js';
import { definitionChangeResolvers } from './definition/changes.js';
import { CertificationTypeResolver, JobRoleResolver } from './definition/resolver.js';
import { evaluationResolvers } from './evaluation/resolvers.js';
import { HistoryResolver } from './history/resolver.js';
import { IdentityResolver } from './identity/resolver.js';
import { LifecycleResolver } from './lifecycle/resolver.js';
import { CertificationHolderResolver, MemberResolver } from './member/resolver.js';
import { MembershipResolver } from './membership/resolver.js';
import { OrganizationResolver } from './organization/resolver.js';
import {
  QualificationRequirementResolver,
  QualificationResolver,
} from './qualification/resolver.js';
import { QualificationResultResolver } from './result/resolver.js';
import { UpsertResolver } from './upsert/resolver.js';

/** The executable schema, built once per process. */
export const schema: GraphQLSchema = withChanges(
  connectResolvers(
    buildSchemaSync({
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
        OrganizationAuditResolver,
        OrganizationResolver,
        QualificationRequirementResolver,
        QualificationResolver,
        QualificationResultResolver,
        UpsertResolver,
      ],
      validate: false,
    }),
  ),
);
