import { Arg, Args, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import type { UpsertOutcome } from '../../rules/upsert/plan.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { actorOf } from '../reads/records.js';
import { upsertCertifications } from './certifications.js';
import { upsertMembers } from './members.js';
import { maxRows } from './rows.js';
import type { Target, Upserted } from './run.js';
import { CertificationUpsert, OrganizationMemberUpsert, UpsertArgs, UpsertResult } from './type.js';

const organization = { description: 'The id of the organization that owns the records.' };
const rows = { description: `The rows: at most ${maxRows}.` };

@Resolver(() => UpsertResult)
export class UpsertResolver {
  @Mutation(() => UpsertResult, {
    description:
      'Creates or changes certification records by external id. Idempotent: sending the same ' +
      'rows again changes nothing. A changed date, issuer, serial number, type or holder resets ' +
      'the verification. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_records:write')
  async upsertCertifications(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('rows', () => [CertificationUpsert], rows) given: CertificationUpsert[],
    @Args(() => UpsertArgs) { mode, dryRun }: UpsertArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    return summarize(
      await upsertCertifications(
        targetOf(ctx, caller, organizationId),
        given,
        { isAtomic: mode === 'atomic', dryRun },
        'api',
      ),
    );
  }

  @Mutation(() => UpsertResult, {
    description:
      'Creates or changes members by external id or e-mail address. Idempotent: sending the ' +
      'same rows again changes nothing. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:write')
  async upsertMembers(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('rows', () => [OrganizationMemberUpsert], rows) given: OrganizationMemberUpsert[],
    @Args(() => UpsertArgs) { mode, dryRun }: UpsertArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    return summarize(
      await upsertMembers(targetOf(ctx, caller, organizationId), given, {
        isAtomic: mode === 'atomic',
        dryRun,
      }),
    );
  }
}

function targetOf(ctx: Context, caller: Access, id: string): Target {
  const { organizationId, role } = caller.managed(id);
  return { tx: ctx.db, actor: actorOf(ctx), organizationId, role };
}

function summarize({ applied, rows }: Upserted): UpsertResult {
  const count = (wanted: UpsertOutcome) => rows.filter(({ outcome }) => outcome === wanted).length;
  return {
    applied,
    createdCount: count('created'),
    updatedCount: count('updated'),
    unchangedCount: count('unchanged'),
    failedCount: count('failed'),
    rows: rows.map(({ problems, ...row }) => ({
      ...row,
      problems: Object.entries(problems).map(([path, messages]) => ({ path, messages })),
    })),
  };
}
