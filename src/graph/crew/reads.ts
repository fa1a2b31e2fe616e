/** Plans a crew from the members of an organization. */
import type { Context } from '../../context.js';
import { fillCrew, mostNeeds, type Shortage } from '../../entities/evaluation/crew.js';
import { isMet } from '../../entities/evaluation/result.js';
import { invalid, type Problems } from '../../errors.js';
import { type Definition, decisiveTypes, readDefinitions } from '../evaluation/definitions.js';
import { readRosterHeld } from '../evaluation/held.js';
import { momentOf } from '../evaluation/moment.js';
import type { CrewArgs, CrewNeed, CrewPlan, CrewPlanNeed, CrewShortage } from './type.js';

/** A need with its eligible members in order of name. */
export interface PlannedNeed extends CrewPlanNeed {
  readonly organizationId: string;
  readonly eligible: readonly string[];
}

/**
 * @throws {ApiError} `validation_error` for duplicate or too many needs, or qualifications that the
 * organization cannot use.
 */
export async function planCrew(
  ctx: Context,
  organizationId: string,
  { needs, day }: CrewArgs,
): Promise<CrewPlan> {
  requireSensible(needs);
  const qualificationIds = needs.map(({ qualificationId }) => qualificationId);
  const definitions = await readDefinitions(
    ctx,
    { organizationId, qualificationIds },
    (index) => `needs.${index}.qualificationId`,
  );
  const held = await readRosterHeld(
    ctx,
    { organizationId },
    decisiveTypes(definitions),
    momentOf(ctx, { asOf: day }),
  );
  const eligible = definitions.map(({ required }) =>
    [...held].filter(([, types]) => isMet(required, types)).map(([id]) => id),
  );
  const { assigned, shortage } = fillCrew(
    needs.map(({ count }, index) => ({ count, eligible: eligible[index] ?? [] })),
  );
  const planned = needs.map((need, index): PlannedNeed => {
    const takes = assigned[index] ?? [];
    return {
      ...need,
      organizationId,
      eligible: eligible[index] ?? [],
      eligibleCount: eligible[index]?.length ?? 0,
      assigned: takes.map((organizationMemberId) => ({ organizationId, organizationMemberId })),
      missingCount: need.count - takes.length,
    };
  });
  const missingCount = planned.reduce((sum, need) => sum + need.missingCount, 0);
  return {
    day,
    isFilled: missingCount === 0,
    missingCount,
    needs: planned,
    shortage: shortage ? tell(shortage, definitions, day) : null,
  };
}

function requireSensible(needs: readonly CrewNeed[]): void {
  if (needs.length === 0 || needs.length > mostNeeds)
    throw invalid({ needs: [`must have 1 to ${mostNeeds} entries`] });
  const problems: Problems = {};
  for (const [index, { qualificationId }] of needs.entries()) {
    const first = needs.findIndex((need) => need.qualificationId === qualificationId);
    if (first !== index)
      problems[`needs.${index}.qualificationId`] = [`is the same qualification as needs.${first}`];
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

function tell(
  { needs, wanted, available }: Shortage,
  definitions: readonly Definition[],
  day: string,
): CrewShortage {
  const which = needs.flatMap((need) => definitions[need] ?? []);
  const names = new Intl.ListFormat('en').format(which.map(({ name }) => name));
  const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);
  const needed =
    which.length === 1
      ? `${names} needs ${people(wanted)}`
      : `${names} together need ${people(wanted)}`;
  const found =
    available === 0 ? 'no member is' : `only ${available} ${available === 1 ? 'is' : 'are'}`;
  const explanation = `${needed}, and ${found} qualified for ${which.length === 1 ? 'it' : 'any of them'} on ${day}.`;
  return {
    qualificationIds: which.map(({ id }) => id),
    neededCount: wanted,
    eligibleCount: available,
    explanation,
  };
}
