/**
 * Link fields from results to their records. Call each function once per type, and list the class
 * among the resolvers.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { type ClassType, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Certification } from '../../entities/certification.js';
import { CertificationType, Qualification } from '../../entities/definition.js';
import { OrganizationMember } from '../../entities/member.js';
import { Caller, Scope } from '../access.js';
import { readReferredDefinition } from '../definitions/reads.js';
import { readMemberOf } from '../members/reads.js';
import { type Pointer, readPointedRecord } from './pointed.js';

export interface OfMember {
  readonly organizationId: string;
  readonly organizationMemberId: string;
}

/** `organizationMember`, for objects that are {@link OfMember}. */
export function memberLink(type: ClassType<object>) {
  @Resolver(() => type)
  class MemberLink {
    @FieldResolver(() => OrganizationMember, { description: 'The member.' })
    @Scope('organization_members:read')
    organizationMember(
      @Root() of: OfMember,
      @Caller() caller: Access,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      caller.member(of.organizationId, of.organizationMemberId);
      return readMemberOf(ctx, info, {
        organizationId: of.organizationId,
        id: of.organizationMemberId,
      });
    }
  }
  return MemberLink;
}

/** `qualification`, for objects with a `qualificationId`. */
export function qualificationLink(type: ClassType<object>) {
  @Resolver(() => type)
  class QualificationLink {
    @FieldResolver(() => Qualification, { description: 'The qualification.' })
    @Scope('qualifications:read')
    qualification(
      @Root() of: { qualificationId: string },
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      return readReferredDefinition(ctx, info, 'qualifications', of.qualificationId);
    }
  }
  return QualificationLink;
}

/** `certificationType` and `certification`, for objects that are a {@link Pointer}. */
export function certificationLinks(type: ClassType<object>) {
  @Resolver(() => type)
  class CertificationLinks {
    @FieldResolver(() => CertificationType, { description: 'The certification type.' })
    @Scope('certification_types:read')
    certificationType(
      @Root() { certificationTypeId }: Pointer,
      @Ctx() ctx: Context,
      @Info() info: GraphQLResolveInfo,
    ) {
      return readReferredDefinition(ctx, info, 'certificationTypes', certificationTypeId);
    }

    @FieldResolver(() => Certification, {
      nullable: true,
      description:
        'The current state of the record; null when there is none or another member now holds it.',
    })
    @Scope('certification_records:read')
    certification(@Root() pointer: Pointer, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
      return readPointedRecord(ctx, info, pointer);
    }
  }
  return CertificationLinks;
}
