/** Previews a change of requirements. */
import type { Context } from '../../context.js';
import { evaluate, isMet, requiredTypes } from '../../entities/evaluation/result.js';
import { type Connection, type PageArgs, toConnection } from '../connection.js';
import { type Definition, decisiveTypes, readDefinitions } from '../evaluation/definitions.js';
import { readRosterHeld } from '../evaluation/held.js';
import { identityOfMoment, type MomentArgs, momentOf } from '../evaluation/moment.js';
import { pageOfRoster } from '../evaluation/roster.js';
import { requireUsable } from '../qualification/requirements.js';
import type { RequirementInput } from '../qualification/type.js';
import type { PreviewedMember, RequirementsPreview } from './type.js';

/** A preview with all affected members, in order of name. */
export interface Preview extends RequirementsPreview {
  readonly identity: readonly unknown[];
  readonly concerned: readonly PreviewedMember[];
}

/**
 * @throws {ApiError} `validation_error` when the organization cannot use the qualification, or the
 * set is invalid.
 */
export async function previewRequirements(
  ctx: Context,
  organizationId: string,
  qualificationId: string,
  requirements: RequirementInput[],
  args: MomentArgs,
): Promise<Preview> {
  const moment = momentOf(ctx, args);
  const range = { organizationId, qualificationIds: [qualificationId] };
  const [definition] = (await readDefinitions(ctx, range, () => 'qualificationId')) as [Definition];
  await requireUsable(ctx, organizationId, qualificationId, requirements);
  const required = requiredTypes(requirements);
  const held = await readRosterHeld(
    ctx,
    { organizationId },
    decisiveTypes([definition, { required }]),
    moment,
  );
  const compared = [...held].map(([organizationMemberId, types]) => ({
    organizationId,
    organizationMemberId,
    ...compare(definition.required, required, types),
  }));
  const concerned = compared.flatMap(({ effect, ...member }) =>
    effect ? [{ ...member, effect }] : [],
  );
  return {
    identity: ['preview', organizationId, qualificationId, requirements, ...identityOfMoment(args)],
    asOf: moment.day,
    qualifiedBefore: compared.filter(({ isQualified }) => isQualified.before).length,
    qualifiedAfter: compared.filter(({ isQualified }) => isQualified.after).length,
    gainCount: concerned.filter(({ effect }) => effect === 'gains').length,
    lossCount: concerned.filter(({ effect }) => effect === 'loses').length,
    concerned,
  };
}

function compare(old: readonly string[], wanted: readonly string[], held: ReadonlySet<string>) {
  const before = isMet(old, held);
  const { status, missingCertificationTypeIds } = evaluate(wanted, held);
  const after = status === 'qualified';
  const effect = before === after ? undefined : after ? ('gains' as const) : ('loses' as const);
  return { isQualified: { before, after }, effect, missingCertificationTypeIds };
}

export function listConcerned(
  { identity, concerned }: Preview,
  args: PageArgs,
): Connection<PreviewedMember> {
  const byId = new Map(concerned.map((each) => [each.organizationMemberId, each]));
  const page = pageOfRoster([...byId.keys()], identity, args);
  return toConnection(
    () => identity,
    args,
    page.flatMap((id) => byId.get(id) ?? []),
    ({ organizationMemberId }) => ({ updatedAt: '', id: organizationMemberId }),
  );
}
