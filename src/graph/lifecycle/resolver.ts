import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Certification } from '../../entities/certification.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { readCertification } from '../certifications/reads.js';
import { IfUpdatedAt } from '../input/precondition.js';
import { revokeInBulk } from './bulk.js';
import { decideVerification, moveLifecycle, submitForVerification } from './service.js';
import {
  BulkRevocationResult,
  CertificationBulkRevocation,
  CertificationCheck,
  CertificationMove,
  CertificationRevocation,
} from './type.js';

const organization = { description: 'The id of the organization that owns the record.' };
const record = { description: 'The id of the record.' };
const how = { nullable: true, description: 'The reason and the effective day.' };

@Resolver(() => Certification)
export class LifecycleResolver {
  @Mutation(() => Certification, {
    description:
      'Revokes an active certification. This cannot be undone. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async revokeCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationRevocation, {
      description: 'The reason and the effective day.',
    })
    input: CertificationRevocation,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(ctx, caller.managed(organizationId), id, 'revoked', input, ifUpdatedAt);
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => Certification, {
    description:
      'Archives an active or revoked certification. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async archiveCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(
      ctx,
      caller.managed(organizationId),
      id,
      'archived',
      input ?? {},
      ifUpdatedAt,
    );
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => Certification, {
    description:
      'Restores an archived certification, unless it was revoked before. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async restoreCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(
      ctx,
      caller.managed(organizationId),
      id,
      'active',
      input ?? {},
      ifUpdatedAt,
    );
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => Certification, {
    description:
      'Submits an unverified or failed certification for verification. Requires the `admin` or ' +
      '`manager` role; the holder can submit a self-reported record.',
  })
  @Scope('certification_records:write')
  async submitCertificationForVerification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await submitForVerification(
      ctx,
      caller.organization(organizationId),
      id,
      input ?? {},
      ifUpdatedAt,
    );
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => Certification, {
    description:
      'Marks an unverified or pending certification as verified. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async verifyCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationCheck, {
      description: 'The method, day and reason of the verification.',
    })
    input: CertificationCheck,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await decideVerification(
      ctx,
      caller.managed(organizationId),
      id,
      'verified',
      input,
      ifUpdatedAt,
    );
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => Certification, {
    description:
      'Marks the verification of an unverified or pending certification as failed. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async failCertificationVerification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationCheck, {
      description: 'The method, day and reason of the verification.',
    })
    input: CertificationCheck,
    @IfUpdatedAt() ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await decideVerification(ctx, caller.managed(organizationId), id, 'failed', input, ifUpdatedAt);
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => BulkRevocationResult, {
    description:
      'Revokes the active certifications that an issuer issued in a range of days: up to 1,000, ' +
      'all or none. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  revokeCertifications(
    @Arg('organizationId', () => UUID, { description: 'The organization that owns the records.' })
    organizationId: string,
    @Arg('input', () => CertificationBulkRevocation, {
      description: 'The records to revoke, the reason and the effective day.',
    })
    input: CertificationBulkRevocation,
    @Arg('dryRun', {
      description: 'Whether only to report the records that would be revoked, without any change.',
    })
    dryRun: boolean,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    return revokeInBulk(ctx, caller.managed(organizationId).organizationId, input, dryRun);
  }
}
