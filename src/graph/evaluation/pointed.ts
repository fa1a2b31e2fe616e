import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import type { Certification } from '../../entities/certification.js';
import { certifications } from '../certifications/reads.js';
import { batch, pin, readTogether } from '../reads/batch.js';
import { columnsFor } from '../reads/projection.js';
import { selectionOf } from '../reads/selection.js';

/** A reference of an explanation: to a type and usually to a record of the member. */
export interface Pointer {
  readonly organizationId: string;
  readonly organizationMemberId: string;
  readonly certificationTypeId: string;
  readonly certificationId: string | null;
}

/**
 * The current state of the record that an explanation refers to; null when there is none or another
 * member now holds it. Batched.
 */
export async function readPointedRecord(
  ctx: Context,
  info: GraphQLResolveInfo,
  pointer: Pointer,
): Promise<Certification | null> {
  const { organizationId, organizationMemberId, certificationId } = pointer;
  if (certificationId === null) return null;
  const organizationOf = ([of = '']: string[]) => of;
  const loader = batch<string[], Certification | null>(ctx, info, 'pointed', (all) =>
    readTogether(ctx.db, all, organizationOf, async (keys, of) => {
      const { list, from } = columnsFor(certifications, selectionOf(info));
      const values: unknown[] = [0, 1, 2].map((part) => keys.map((key) => key[part]));
      const pinned = pin('c.organization_id', values, of);
      const rows = await ctx.db.query<Certification>(
        `select ${list} from ${from} join unnest($1::uuid[], $2::uuid[], $3::uuid[]) as pointed(organization_id, member_id, id)
         on c.organization_id = pointed.organization_id and c.organization_member_id = pointed.member_id and c.id = pointed.id${pinned}`,
        values,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      return keys.map(([, , id]) => byId.get(id ?? '') ?? null);
    }),
  );
  return loader.load([organizationId, organizationMemberId, certificationId]);
}
