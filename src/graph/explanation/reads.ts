import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { type Explanation, explain } from '../../entities/evaluation/explanation.js';
import { batch } from '../batch.js';
import type { AssessedResult } from '../result/assessment.js';

interface Records {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

/** Those of the records that were ever revoked; batched over all results, which so stay together for the batches that follow. */
const readRevoked = (ctx: Context, info: GraphQLResolveInfo, records: Records): Promise<ReadonlySet<string>> =>
  batch<Records, ReadonlySet<string>>(ctx, info, 'revoked', async (keys) => {
    const asked = keys.flatMap(({ organizationId, ids }) => ids.map((id) => ({ organizationId, id })));
    if (asked.length === 0) return keys.map(() => new Set());
    const rows = await ctx.db.query<{ id: string }>(
      `select distinct h.certification_id as id from certification_history h
       join unnest($1::uuid[], $2::uuid[]) as asked(organization_id, id) on h.organization_id = asked.organization_id and h.certification_id = asked.id
       where h.lifecycle_status = 'revoked'`,
      [asked.map(({ organizationId }) => organizationId), asked.map(({ id }) => id)],
    );
    const revoked = new Set(rows.map(({ id }) => id));
    return keys.map(() => revoked);
  }).load(records);

/** Explains a result. What was revoked before it was archived can't be restored, and counts as revoked. */
export async function explainResult(ctx: Context, info: GraphQLResolveInfo, result: AssessedResult): Promise<Explanation[]> {
  const { asOf, organizationId, requirements, records } = result;
  const archived = records.filter(({ lifecycleStatus }) => lifecycleStatus === 'archived');
  const revoked = await readRevoked(ctx, info, { organizationId, ids: archived.map(({ certificationId }) => certificationId) });
  const known = records.map((record) =>
    revoked.has(record.certificationId) ? { ...record, lifecycleStatus: 'revoked' as const } : record,
  );
  return explain(asOf, requirements, known);
}
