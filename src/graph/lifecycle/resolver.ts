import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { readCertification } from '../certification/reads.js';
import { CertificationRecord } from '../certification/type.js';
import { UUID } from '../scalars.js';
import { revokeInBulk } from './bulk.js';
import { decideVerification, moveLifecycle, submitForVerification } from './service.js';
import {
  BulkRevocationResult,
  CertificationBulkRevocation,
  CertificationCheck,
  CertificationMove,
  CertificationRevocation,
} from './type.js';

const organization = { description: 'The organization that keeps the record.' };
const record = { description: 'The id of the record.' };
const how = { nullable: true, description: 'Why, and from when on.' };

@Resolver(() => CertificationRecord)
export class LifecycleResolver {
  @Mutation(() => CertificationRecord, { description: 'Takes an active record back. It never comes into force again. For managers.' })
  @Scope('certification_records:write')
  async revokeCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationRevocation, { description: 'Why, and from when on.' }) input: CertificationRevocation,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(ctx, caller.managed(organizationId), id, 'revoked', input);
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => CertificationRecord, { description: 'Puts an active or revoked record aside. For managers.' })
  @Scope('certification_records:write')
  async archiveCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(ctx, caller.managed(organizationId), id, 'archived', input ?? {});
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => CertificationRecord, {
    description: 'Brings an archived record back into force, unless it was revoked before. For managers.',
  })
  @Scope('certification_records:write')
  async restoreCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await moveLifecycle(ctx, caller.managed(organizationId), id, 'active', input ?? {});
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => CertificationRecord, {
    description: 'Asks for an unverified or failed record to be checked. For managers, and for holders of a self-reported record.',
  })
  @Scope('certification_records:write')
  async submitCertificationForVerification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationMove, how) input: CertificationMove | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await submitForVerification(ctx, caller.organization(organizationId), id, input ?? {});
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => CertificationRecord, { description: 'Confirms an unverified or pending record. For managers.' })
  @Scope('certification_records:write')
  async verifyCertification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationCheck, { description: 'How it was checked.' }) input: CertificationCheck,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await decideVerification(ctx, caller.managed(organizationId), id, 'verified', input);
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => CertificationRecord, { description: 'Says that an unverified or pending record could not be confirmed. For managers.' })
  @Scope('certification_records:write')
  async failCertificationVerification(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, record) id: string,
    @Arg('input', () => CertificationCheck, { description: 'How it was checked.' }) input: CertificationCheck,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await decideVerification(ctx, caller.managed(organizationId), id, 'failed', input);
    return readCertification(ctx, info, organizationId, id);
  }

  @Mutation(() => BulkRevocationResult, {
    description: 'Takes back the active records of an issuer that were issued in a range of days: up to 1,000, all or none. For managers.',
  })
  @Scope('certification_records:write')
  revokeCertifications(
    @Arg('organizationId', () => UUID, { description: 'The organization that keeps the records.' }) organizationId: string,
    @Arg('input', () => CertificationBulkRevocation, { description: 'Which, why, and from when on.' }) input: CertificationBulkRevocation,
    @Arg('dryRun', { description: 'Only report what would be revoked, and change nothing.' }) dryRun: boolean,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    return revokeInBulk(ctx, caller.managed(organizationId).organizationId, input, dryRun);
  }
}
