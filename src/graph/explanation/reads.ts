import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { coverageOf, qualifiedSpans, sinceWhen } from '../../entities/evaluation/coverage.js';
import { type Explanation, explain } from '../../entities/evaluation/explanation.js';
import { requiredTypes } from '../../entities/evaluation/result.js';
import { activeDays, wasRevoked } from '../../entities/history.js';
import { type Lifecycles, readLifecycles } from '../history/reads.js';
import type { AssessedResult } from '../result/assessment.js';

type Record = AssessedResult['records'][number];

const lifecyclesOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
  records: readonly Record[],
): Promise<Lifecycles> => {
  const { organizationId, moment } = result;
  return readLifecycles(
    ctx,
    info,
    { organizationId, ids: records.map(({ certificationId }) => certificationId) },
    moment.knownAt,
  );
};

/**
 * Explains a result. A record that was revoked before it was archived cannot be restored, and
 * counts as revoked.
 */
export async function explainResult(
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
): Promise<Explanation[]> {
  const { asOf, requirements, records } = result;
  const archived = records.filter(({ lifecycleStatus }) => lifecycleStatus === 'archived');
  const lifecycles = await lifecyclesOf(ctx, info, result, archived);
  const known = records.map((record) =>
    wasRevoked(lifecycles.get(record.certificationId) ?? [], asOf)
      ? { ...record, lifecycleStatus: 'revoked' as const }
      : record,
  );
  return explain(asOf, requirements, known);
}

/** The first day of the current status. Records revoked or archived since then counted before. */
export async function readSince(
  ctx: Context,
  info: GraphQLResolveInfo,
  result: AssessedResult,
): Promise<string | null> {
  const { asOf, requirements, records } = result;
  const unknown = records.filter((record) => !record.activeDays);
  const lifecycles = await lifecyclesOf(ctx, info, result, unknown);
  const known = records.map((record) => {
    const versions = lifecycles.get(record.certificationId);
    return versions ? { ...record, activeDays: activeDays(versions) } : record;
  });
  return sinceWhen(asOf, qualifiedSpans(requiredTypes(requirements), coverageOf(known)));
}
